import { Layer } from "effect"
import * as TokenStoreFile from "../layers/upstream/TokenStoreFile.ts"
import * as UpstreamAuthorizationOAuth from "../layers/upstream/UpstreamAuthorizationOAuth.ts"
import * as UpstreamAuthorizationToken from "../layers/upstream/UpstreamAuthorizationToken.ts"
import type { HttpUpstream } from "../services/settings/Settings.ts"
import type { UpstreamAuthorization } from "../services/upstream/UpstreamAuthorization.ts"

/** How we identify ourselves to a server behind a URL: a token, a header, credentials in the URL, else a login. */
export const authorization = (options: HttpUpstream): Layer.Layer<UpstreamAuthorization> => {
  const { headers, oauth, token, url } = options
  if (token !== undefined) return UpstreamAuthorizationToken.layer({ url, token })
  const { password, username } = new URL(url)
  const isTold =
    username !== "" || password !== "" || Object.keys(headers).some((name) => name.toLowerCase() === "authorization")
  return isTold
    ? UpstreamAuthorizationToken.layerNone({ url })
    : UpstreamAuthorizationOAuth.layer({ ...oauth, url }).pipe(Layer.provide(TokenStoreFile.layer()))
}

export { layer } from "../layers/upstream/UpstreamHttp.ts"
