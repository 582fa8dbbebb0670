import { useEffect, useRef, useState } from 'react'
import { createEngineLink, type EngineLink } from './engine-link.ts'

/** The mapping engine of this screen. */
export function useEngine(): EngineLink {
  const [engine] = useState(createEngineLink)
  useEffect(() => engine.retain(), [engine])
  return engine
}

/**
 * What `compute`, which stays the same, makes of the newest input. While it is at work, newer inputs
 * wait and only the last of them is computed, so that fast typing never builds up a queue. Until an
 * input's result is there the one before is returned; a failed computation leaves it.
 */
export function useLatest<I, O>(compute: (input: I) => Promise<O>, input: I): O | undefined {
  const [latest, setLatest] = useState<{ output: O }>()
  const queue = useRef<Queue<I>>({ isBusy: false })
  useEffect(() => {
    queue.current.next = { input }
    if (queue.current.isBusy) return
    void work(queue.current, compute, (output) => setLatest({ output }))
  }, [compute, input])
  return latest?.output
}

interface Queue<I> {
  isBusy: boolean
  next?: { input: I } | undefined
}

async function work<I, O>(
  queue: Queue<I>,
  compute: (input: I) => Promise<O>,
  onOutput: (output: O) => void,
): Promise<void> {
  queue.isBusy = true
  while (queue.next) {
    const { input } = queue.next
    queue.next = undefined
    await compute(input).then(onOutput, () => undefined)
  }
  queue.isBusy = false
}
