import { Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { RunOutcome, Verdict } from '@gatehouse/contract'
import bulkClasses from '../../../entities/bulk/bulk.module.css'
import { runs } from '../../../entities/run/run-queries.ts'
import { CallError, messageOf } from '../../../lib/calls/call-error.ts'
import { firstMessages } from '../../../lib/forms/field-errors.ts'
import { serverWords } from '../../../lib/calls/server-words.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { RadioChoice } from '../../../ui/form/radio-choice.tsx'
import { unclearList } from './unclear-queries.ts'
import {
  performVerb,
  verbSayingWords,
  verbWords,
  type Said,
  type UnclearTarget,
  type UnclearVerb,
} from './unclear-verbs.ts'

interface UnclearDialogProps {
  verb: UnclearVerb
  target: UnclearTarget
  onClose: () => void
}

const verdictChoices = [
  { value: 'received', label: 'They were received' },
  { value: 'not_received', label: 'They were not received' },
]

/** Says what will happen to which runs; then what became of each, while the server goes through them. */
export function UnclearDialog({ verb, target, onClose }: UnclearDialogProps) {
  const [said, setSaid] = useState<Said>({ verdict: 'received', text: '' })
  const count = useCount(target)
  const work = useWork(verb, target)
  const { results, failure, isWorking } = work
  const label = verbWords[verb]

  function handleClose() {
    work.stop()
    onClose()
  }
  if (results.length > 0 || (isWorking && failure === undefined)) {
    return (
      <ConfirmDialog
        isOpen
        title={isWorking ? `${label}: ${results.length} so far` : `${label}: ${summaryOf(results)}`}
        failure={failure === undefined ? undefined : messageOf(failure)}
        onConfirm={handleClose}
        onClose={handleClose}
      >
        <Results results={results} />
        {isWorking && (
          <Text size="sm" c="dimmed" aria-live="polite">
            The server goes through them one by one. To close this stops after the run that is under
            way.
          </Text>
        )}
      </ConfirmDialog>
    )
  }
  const errors = failure instanceof CallError ? firstMessages(failure.errors) : {}
  const field = verb === 'close' ? 'reason' : 'note'
  return (
    <ConfirmDialog
      isOpen
      title={count === undefined ? `${label} all that match?` : `${label} ${count} runs?`}
      confirmLabel={label}
      isHarmless={verb === 'ask' || verb === 'close'}
      isWorking={isWorking}
      failure={
        failure === undefined || errors[field] !== undefined ? undefined : messageOf(failure)
      }
      onConfirm={() => void work.begin(said)}
      onClose={handleClose}
    >
      <Stack gap="sm">
        <Text size="sm">{verbSayingWords[verb]}</Text>
        {verb === 'resolve' && (
          <RadioChoice
            label="What became of them"
            choices={verdictChoices}
            value={said.verdict}
            onChange={(verdict) => setSaid({ ...said, verdict: verdict as Verdict })}
          />
        )}
        {(verb === 'resolve' || verb === 'close') && (
          <Textarea
            label={verb === 'close' ? 'Reason' : 'Note'}
            description="Kept with each run and in the audit trail."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={said.text}
            onChange={(event) => setSaid({ ...said, text: event.currentTarget.value })}
            error={errors[field]}
            maxLength={1000}
            rows={2}
            withAsterisk={verb === 'close'}
          />
        )}
      </Stack>
    </ConfirmDialog>
  )
}

/** How many runs it is about; undefined until that is known. */
function useCount(target: UnclearTarget): number | undefined {
  const filter = 'ids' in target ? {} : target.filter
  const found = useQuery({
    ...unclearList({ ...filter, page: 1, limit: 1 }),
    enabled: !('ids' in target),
    refetchInterval: false,
  })
  return 'ids' in target ? target.ids.length : found.data?.[0].total
}

/** Goes through the runs, call by call, until none is left or the dialog is closed. */
function useWork(verb: UnclearVerb, target: UnclearTarget) {
  const [results, setResults] = useState<readonly RunOutcome[]>([])
  const isStopped = useRef(false)
  const step = runs.useAction(async (said: Said) => {
    let after: number | null = 0
    const all: RunOutcome[] = []
    while (after !== null && !isStopped.current) {
      const answer = await performVerb(verb, target, said, after)
      all.push(...answer.results)
      setResults([...all])
      after = answer.next_after
    }
  })
  return {
    results,
    failure: step.error ?? undefined,
    isWorking: step.isPending,
    begin: (said: Said) => step.mutateAsync(said).catch(() => undefined),
    stop: () => void (isStopped.current = true),
  }
}

/** What was refused comes first: somebody has to look at it. */
const order: readonly RunOutcome['outcome'][] = ['refused', 'undecided', 'done']

function Results({ results }: { results: readonly RunOutcome[] }) {
  const sorted = results.toSorted(
    (one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome),
  )
  return (
    <ul className={bulkClasses['lines']} aria-label="Results">
      {sorted.map(({ id, reference, outcome, message }) => (
        <li key={id} data-outcome={outcome}>
          <b>{reference ?? `Run ${id}`}</b>
          <span>{serverWords(message)}</span>
        </li>
      ))}
    </ul>
  )
}

function summaryOf(results: readonly RunOutcome[]): string {
  const count = (of: RunOutcome['outcome']) =>
    results.filter(({ outcome }) => outcome === of).length
  return [
    `${count('done')} done`,
    ...(count('undecided') > 0 ? [`${count('undecided')} undecided`] : []),
    ...(count('refused') > 0 ? [`${count('refused')} refused`] : []),
  ].join(', ')
}
