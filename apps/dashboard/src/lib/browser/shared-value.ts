import { useSyncExternalStore } from 'react'

/** A value that parts of a screen share, so that a change draws those parts alone and not the whole screen. */
export class SharedValue<Value> {
  #current: Value
  readonly #listeners = new Set<() => void>()

  constructor(initial: Value) {
    this.#current = initial
  }

  readonly set = (value: Value): void => {
    this.#current = value
    for (const listener of this.#listeners) listener()
  }

  readonly get = (): Value => this.#current

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

export const useSharedValue = <Value>(shared: SharedValue<Value>): Value =>
  useSyncExternalStore(shared.subscribe, shared.get)

/** What `pick` takes from it, which is compared by identity: other changes draw nothing. */
export const usePartOf = <Value, Part>(
  shared: SharedValue<Value>,
  pick: (value: Value) => Part,
): Part => useSyncExternalStore(shared.subscribe, () => pick(shared.get()))
