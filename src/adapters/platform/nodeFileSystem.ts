export { layer } from "@effect/platform-node/NodeFileSystem"
