import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { RunState, RunSummary } from '@gatehouse/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { awaitRun, findRun, followRun } from '../../entities/run/follow-run.ts'
import { newUuid } from '../../lib/calls/new-uuid.ts'
import { runQueries } from '../../entities/run/run-queries.ts'
import type { BundleKind } from './bundle-form.ts'
import type { KeptBundle } from './use-bundle-form.ts'

/**
 * `posting`: sent, and its answer is awaited. `searching`: the answer was lost, by a reload for
 * example, and the run is looked for by its key. `lost`: there is none, so nothing was sent.
 */
type SendPhase = 'idle' | 'posting' | 'searching' | 'lost' | 'settled'

/** A run that is on its way appears within these many looks, about a second apart. */
const searchTries = 6

const isDefinite = (state: RunState) => state !== 'running' && state !== 'unknown'

/** The run of the last Send: found by its key, followed to its end, also after a reload. */
export function useBundleRun(kind: BundleKind, { form, record }: KeptBundle) {
  const { key, sentKey } = form
  const client = useQueryClient()
  const [phase, setPhase] = useState<SendPhase>(sentKey === null ? 'idle' : 'searching')
  const isExpected = phase === 'posting' || phase === 'searching'
  const isSettled = phase === 'settled' && sentKey !== null
  const query = useQuery({ ...runQueries.byKey(kind, sentKey ?? ''), enabled: isSettled })
  const run = sentKey === null ? undefined : (query.data ?? undefined)

  const showRun = useCallback(
    (key: string, run: RunSummary) =>
      client.setQueryData(runQueries.byKey(kind, key).queryKey, run),
    [client, kind],
  )

  const watching = useRef<AbortController>(null)
  /** The Send was answered. What the watch reads until the screen is drawn is older, and takes nothing back. */
  const settle = (key: string, run: RunSummary) => {
    watching.current?.abort()
    showRun(key, run)
    setPhase('settled')
  }

  useEffect(() => {
    if (!isExpected || sentKey === null) return undefined
    const controller = new AbortController()
    watching.current = controller
    const { signal } = controller
    const isSearch = phase === 'searching'
    async function watch(key: string) {
      const found = await awaitRun(kind, key, signal, isSearch ? searchTries : undefined)
      if (signal.aborted) return
      if (!found) return setPhase('lost')
      showRun(key, found)
      if (found.state === 'running') await follow(found.id, key)
      if (!isSearch || signal.aborted) return
      setPhase('settled')
      void client.invalidateQueries({ queryKey: runQueries.unknown().queryKey })
    }
    function follow(id: number, key: string) {
      const poll = async () => {
        const now = await findRun(kind, key, signal)
        if (now && !signal.aborted) showRun(key, now)
        return now?.state ?? 'running'
      }
      return followRun({ id, signal, onRun: (run) => showRun(key, run), poll })
    }
    void watch(sentKey)
    return () => controller.abort()
  }, [isExpected, phase, sentKey, kind, client, showRun])

  // spec: idempotency, a new key after a definite result: of the Send, or of what a user did since.
  const isKeySpent = isSettled && key === sentKey && run !== undefined && isDefinite(run.state)
  useEffect(() => {
    if (isKeySpent) record({ key: newUuid() })
  }, [isKeySpent, record])

  return {
    phase,
    setPhase,
    run,
    settle,
    isGoing: isExpected || run?.state === 'running',
    /** The outcome is unknown: nothing new is sent until it is resolved. */
    isHeld: isSettled && key === sentKey && run?.state === 'unknown',
  }
}
