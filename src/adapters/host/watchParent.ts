import type { FrameLink, FrameListener } from "../../services/host/FrameLink.ts"

const POLL_MS = 500

/**
 * While reading is paused, we do not see that the host's output has ended. But the host started this process, so when it
 * ends, this process gets a new parent. `parentId` answers the parent's process id.
 */
export const watchParent = (link: FrameLink, parentId: () => number): FrameLink => {
  const parent = parentId()
  let listener: FrameListener | undefined
  let poll: NodeJS.Timeout | undefined
  let hasEnded = false
  const stopPolling = (): void => {
    clearInterval(poll)
    poll = undefined
  }
  const end = (): void => {
    stopPolling()
    if (hasEnded) return
    hasEnded = true
    listener?.ended()
  }
  return {
    ...link,
    listen: (own) => {
      listener = own
      link.listen({ ...own, ended: end })
    },
    pause: () => {
      link.pause()
      if (hasEnded) return
      poll ??= setInterval(() => {
        if (parentId() !== parent) end()
      }, POLL_MS).unref()
    },
    resume: () => {
      stopPolling()
      link.resume()
    }
  }
}
