import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { GapAnswer, GapList, GapResult } from '@gatehouse/contract'
import bulkClasses from '../../entities/bulk/bulk.module.css'
import { runs } from '../../entities/run/run-queries.ts'
import { call } from '../../lib/calls/call.ts'
import { messageOf } from '../../lib/calls/call-error.ts'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'

/** Asks the authorities, call by call, which queued runs they have already; says what came of each. */
export function GapDialog({ onClose }: { onClose: () => void }) {
  const [results, setResults] = useState<readonly GapResult[]>()
  const [lists, setLists] = useState<readonly GapList[]>([])
  const [isWorking, setIsWorking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const isStopped = useRef(false)
  const client = useQueryClient()

  async function handleConfirm() {
    setIsWorking(true)
    setFailure(undefined)
    const all: GapResult[] = []
    try {
      let after: number | null = 0
      while (after !== null && !isStopped.current) {
        const answer: GapAnswer = await call('POST /api/installation/check-gap', {
          body: { after },
        })
        all.push(...answer.results)
        setResults([...all])
        setLists(answer.lists)
        after = answer.next_after
      }
    } catch (error) {
      setFailure(error)
    } finally {
      setIsWorking(false)
      void client.invalidateQueries({ queryKey: runs.all })
    }
  }

  function handleClose() {
    isStopped.current = true
    onClose()
  }

  const isDone = results !== undefined && !isWorking
  return (
    <ConfirmDialog
      isOpen
      title="Check the gap"
      confirmLabel={isDone ? undefined : 'Ask the authorities'}
      isHarmless
      isWorking={isWorking}
      failure={failure === undefined ? undefined : messageOf(failure)}
      onConfirm={() => void handleConfirm()}
      onClose={handleClose}
    >
      <Text size="sm">
        The status query is asked about every queued run, and the authorities of comparisons for
        their lists since the backup. What they have counts as accepted and leaves its lane. Nothing
        is sent.
      </Text>
      {results && (
        <>
          <Text size="sm" fw={600} aria-live="polite">
            {summaryOf(results)}
          </Text>
          <ul className={bulkClasses['lines']} aria-label="Results">
            {results
              .filter(({ outcome }) => outcome !== 'not_received')
              .map(({ id, reference, message }) => (
                <li key={id}>
                  <b>{reference}</b>
                  <span>{serverWords(message)}</span>
                </li>
              ))}
            {lists.map(({ name, listed, entered, message }) => (
              <li key={name}>
                <b>{name}</b>
                <span>
                  {message === null
                    ? `In the list: ${listed}, entered as accepted: ${entered}`
                    : serverWords(message)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  )
}

function summaryOf(results: readonly GapResult[]): string {
  const count = (...of: GapResult['outcome'][]) =>
    results.filter(({ outcome }) => of.includes(outcome)).length
  return `There: ${count('received')}, not there: ${count('not_received')}, not certain: ${count('unclear', 'no_query')}`
}
