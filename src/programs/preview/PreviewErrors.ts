import { Schema } from "effect"

/** Another program listens on the port that was asked for. */
export class PreviewPortInUse extends Schema.TaggedError<PreviewPortInUse>()("PreviewPortInUse", {
  port: Schema.Finite
}) {
  override get message(): string {
    return `port ${this.port} is in use; choose another one with --port, or leave --port out to take a free one`
  }
}

/** The preview could not listen for another reason: no permission for the port, no loopback interface. */
export class PreviewListenFailed extends Schema.TaggedError<PreviewListenFailed>()("PreviewListenFailed", {
  port: Schema.Finite,
  cause: Schema.Defect()
}) {
  override get message(): string {
    const reason = this.cause instanceof Error ? this.cause.message : String(this.cause)
    return `the preview can not listen on port ${this.port}: ${reason}`
  }
}

/** A request carries more bytes than the preview takes. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", { limit: Schema.Finite }) {
  override get message(): string {
    return `the body is over ${this.limit} bytes`
  }
}
