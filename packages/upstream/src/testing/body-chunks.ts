import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** Resolves when undici has next handed a piece of an answer's body to its reader. */
export function nextBodyChunk(): Promise<void> {
  return new Promise((resolve) => {
    const channel = 'undici:request:bodyChunkReceived'
    const handle = () => {
      unsubscribe(channel, handle)
      setImmediate(resolve)
    }
    subscribe(channel, handle)
  })
}
