import { useQueryClient } from '@tanstack/react-query'
import type { RunDetail } from '@gatehouse/contract'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { newUuid } from '../../lib/new-uuid.ts'
import { paths } from '../../entities/paths.ts'
import { runKeys } from '../../entities/run/run-keys.ts'
import { beginRetry } from './begin-retry.ts'
import type { RetryBody } from './run-queries.ts'
import { notifyRunEnd } from './run-toasts.ts'

/**
 * Begins a new run in the place of an old one, and goes to its screen as soon as there is one. The
 * key stays the same until then, so that a second press never begins a second run.
 */
export function useRetry(run: RunDetail) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [key, setKey] = useState(newUuid)
  const [isBeginning, setIsBeginning] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  async function begin(body: RetryBody) {
    setIsBeginning(true)
    setFailure(undefined)
    try {
      const id = await beginRetry(run, body, key, (ended) => {
        notifyRunEnd(ended)
        void client.invalidateQueries({ queryKey: runKeys.all })
      })
      setKey(newUuid())
      void client.invalidateQueries({ queryKey: runKeys.all })
      await navigate(paths.run(id))
    } catch (error) {
      setFailure(error)
    } finally {
      setIsBeginning(false)
    }
  }
  return { begin, isBeginning, failure }
}
