# docker build -t mcp-gen-ui .
# docker run -i --rm mcp-gen-ui -- https://mcp.example.com/mcp
# docker run --rm -p 8080:8080 -e MCP_GEN_UI_TOKEN mcp-gen-ui --http 0.0.0.0:8080 -- https://mcp.example.com/mcp

FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY bin ./bin
COPY docs ./docs
COPY examples ./examples
COPY library ./library
COPY prompts ./prompts
COPY scripts ./scripts
COPY src ./src
COPY types ./types
COPY CHANGELOG.md CONTRIBUTING.md LICENSE README.md tsconfig.json tsconfig.build.json ./
RUN npm pack --silent && mkdir /package && tar -xzf mcp-gen-ui-*.tgz -C /package --strip-components=1

FROM node:24-slim
COPY --from=build /package /opt/mcp-gen-ui
RUN ln -s /opt/mcp-gen-ui/bin/mcp-gen-ui.mjs /usr/local/bin/mcp-gen-ui
USER node
WORKDIR /home/node
EXPOSE 8080
ENTRYPOINT ["mcp-gen-ui"]
