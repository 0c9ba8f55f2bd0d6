import type { GetPromptResult, Prompt } from "@modelcontextprotocol/sdk/types.js"
import { RED_PIXEL } from "./media.ts"

type Arguments = Readonly<Record<string, string>>

interface ReferencePrompt {
  readonly definition: Omit<Prompt, "name">
  readonly messages: (args: Arguments) => GetPromptResult["messages"]
}

const user = (content: GetPromptResult["messages"][number]["content"]): GetPromptResult["messages"][number] => ({
  role: "user",
  content
})

const referencePrompts: Readonly<Record<string, ReferencePrompt>> = {
  test_simple_prompt: {
    definition: { description: "A prompt without arguments" },
    messages: () => [user({ type: "text", text: "This is a simple prompt for testing." })]
  },
  test_prompt_with_arguments: {
    definition: {
      description: "A prompt with two arguments",
      arguments: [
        { name: "arg1", description: "First test argument", required: true },
        { name: "arg2", description: "Second test argument", required: true }
      ]
    },
    messages: ({ arg1, arg2 }) => [
      user({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` })
    ]
  },
  test_prompt_with_embedded_resource: {
    definition: {
      description: "A prompt with a resource in it",
      arguments: [{ name: "resourceUri", description: "URI of the resource to embed", required: true }]
    },
    messages: ({ resourceUri }) => [
      user({
        type: "resource",
        resource: {
          uri: resourceUri ?? "",
          mimeType: "text/plain",
          text: "Embedded resource content for testing."
        }
      }),
      user({ type: "text", text: "Please process the embedded resource above." })
    ]
  },
  test_prompt_with_image: {
    definition: { description: "A prompt with an image in it" },
    messages: () => [
      user({ type: "image", data: RED_PIXEL, mimeType: "image/png" }),
      user({ type: "text", text: "Please analyze the image above." })
    ]
  }
}

export const promptDefinitions: ReadonlyArray<Prompt> = Object.entries(referencePrompts).map(([name, { definition }]) =>
  Object.assign({ name }, definition)
)

/** `undefined` for a prompt that is not there. */
export const promptMessages = (name: string, args: Arguments): GetPromptResult["messages"] | undefined =>
  Object.hasOwn(referencePrompts, name) ? referencePrompts[name]?.messages(args) : undefined

const suggestions = ["paris", "park", "party"]

/** Values for an argument that begin with what is there. */
export const completionsOf = (begun: string): ReadonlyArray<string> =>
  suggestions.filter((suggestion) => suggestion.startsWith(begun))
