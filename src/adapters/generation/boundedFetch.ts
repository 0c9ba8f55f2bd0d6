import { AnswerBroken } from "../../domain/generation/ProviderErrors.ts"

/** Many times the longest answer that can become a page. */
const MAX_BYTES = 16_777_216

/** `fetch` for the APIs of models. An answer that does not end would fill memory, so it is cut off. */
export const boundedFetch = async (...request: Parameters<typeof fetch>): Promise<Response> => {
  const response = await fetch(...request)
  if (response.body === null) return response
  let bytes = 0
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.length
      if (bytes <= MAX_BYTES) return controller.enqueue(chunk)
      throw new AnswerBroken({ code: "SERVER_ERROR", detail: `the answer has more than ${MAX_BYTES} bytes` })
    }
  })
  const { headers, status, statusText } = response
  return new Response(response.body.pipeThrough(bound), { headers, status, statusText })
}
