/** Gives values to listeners. A late listener gets the latest one. */
export interface ReplaySubject<A extends ReadonlyArray<unknown>> {
  readonly latest: A | undefined
  readonly emit: (...values: A) => void
  readonly subscribe: (listener: (...values: A) => void) => () => void
  /** Forgets the latest value; listeners stay. */
  readonly forget: () => void
  /** Ends all subscriptions. Later listeners still get the latest value. */
  readonly release: () => void
}

export const replaySubject = <A extends ReadonlyArray<unknown>>(): ReplaySubject<A> => {
  const listeners = new Map<symbol, { readonly listener: (...values: A) => void; seen: number }>()
  let latest: A | undefined
  let version = 0

  const deliver = (id: symbol): void => {
    const entry = listeners.get(id)
    if (entry === undefined || latest === undefined || entry.seen === version) return
    entry.seen = version
    try {
      entry.listener(...latest)
    } catch (error) {
      reportError(error)
    }
  }

  return {
    get latest() {
      return latest
    },
    emit: (...values) => {
      latest = values
      version++
      for (const id of listeners.keys()) deliver(id)
    },
    subscribe: (listener) => {
      const id = Symbol("listener")
      listeners.set(id, { listener, seen: 0 })
      queueMicrotask(() => deliver(id))
      return () => {
        listeners.delete(id)
      }
    },
    forget: () => {
      latest = undefined
    },
    release: () => listeners.clear()
  }
}
