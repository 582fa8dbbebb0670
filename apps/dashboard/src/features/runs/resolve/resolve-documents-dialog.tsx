import { Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { DocumentSaying, RunDetail, RunStepDetail } from '@gatehouse/contract'
import { useState } from 'react'
import { notifySuccess } from '../../../lib/page/notify.tsx'
import { serverWords } from '../../../lib/calls/server-words.tsx'
import { ReasonDialog } from '../../../ui/dialog/reason-dialog.tsx'
import { useRunActions } from '../actions/run-actions.ts'
import { SentFacts } from './sent-facts.tsx'
import classes from './resolve-documents.module.css'

interface ResolveDocumentsDialogProps {
  run: RunDetail
  step: RunStepDetail
  isOpen: boolean
  onClose: () => void
}

type Documents = RunStepDetail['documents']

/** By the id of the document; those that are not in it stay as they are. */
type Said = Record<number, { verdict: DocumentSaying; reference: string }>

const nothingSaid: { said: Said } = { said: {} }

const choices = [
  { value: 'accepted', label: 'Accepted' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'not_received', label: 'Not received' },
] as const

/** A person says what became of each document of a step; it is kept with who said it and when. */
export function ResolveDocumentsDialog(props: ResolveDocumentsDialogProps) {
  const { run, step, isOpen, onClose } = props
  const { resolve } = useRunActions(run.id)
  const open = step.documents.filter(
    ({ state }) => state !== 'accepted' && state !== 'not_accepted',
  )
  async function perform(_subject: number, note: string, { said }: { said: Said }) {
    const documents = Object.entries(said).map(([id, each]) => ({ id: Number(id), ...each }))
    await resolve({ step: step.position, verdict: 'by_document', documents, note })
    notifySuccess('Kept with the run.')
  }
  return (
    <ReasonDialog
      subject={isOpen ? step.position : undefined}
      ask={(position) => ({
        title: `Step ${position}: what became of each document?`,
        confirmLabel: 'Keep these',
        isHarmless: true,
      })}
      field={{
        name: 'note',
        label: 'Note',
        description: 'How you know: kept with the run.',
        maxLength: 1000,
      }}
      more={nothingSaid}
      perform={perform}
      onClose={onClose}
    >
      {({ more, setMore, errors }) => (
        <>
          <Text size="sm">
            Say so only of documents that you have looked up at the receiver. The others stay as
            they are. One that was not received can be sent again.
          </Text>
          <SentFacts run={run} step={step} />
          <Table documents={open} said={more.said} onChange={(said) => setMore({ said })} />
          {errors['documents'] !== undefined && (
            <Text size="sm" c="red" role="alert">
              {serverWords(errors['documents'])}
            </Text>
          )}
        </>
      )}
    </ReasonDialog>
  )
}

interface TableProps {
  documents: Documents
  said: Said
  onChange: (said: Said) => void
}

function Table({ documents, said, onChange }: TableProps) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const set = (ids: readonly number[], verdict: string | null) => {
    const next = { ...said }
    for (const id of ids) {
      const known = choices.find(({ value }) => value === verdict)?.value
      if (known === undefined) delete next[id]
      else next[id] = { verdict: known, reference: next[id]?.reference ?? '' }
    }
    onChange(next)
  }
  const toggle = (id: number) =>
    setChosen(
      (before) =>
        new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]),
    )
  const all = documents.map(({ id }) => id)
  const isAll = chosen.size === all.length
  return (
    <Stack gap="xs">
      <Group gap="sm" align="center">
        <Checkbox
          label="All documents"
          checked={isAll}
          indeterminate={chosen.size > 0 && !isAll}
          onChange={() => setChosen(new Set(isAll ? [] : all))}
        />
        <Select
          aria-label="Verdict for the selected documents"
          placeholder="Set the selected to"
          data={[...choices]}
          value={null}
          disabled={chosen.size === 0}
          onChange={(verdict) => set([...chosen], verdict)}
          flex="1 1 12rem"
        />
      </Group>
      <ul className={classes['documents']} aria-label="Documents">
        {documents.map(({ id, reference }) => (
          <li key={id} className={classes['document']}>
            <Checkbox
              label={<bdi>{reference}</bdi>}
              checked={chosen.has(id)}
              onChange={() => toggle(id)}
            />
            <Select
              aria-label={`Verdict for ${reference}`}
              placeholder="Stays unknown"
              data={[...choices]}
              value={said[id]?.verdict ?? null}
              clearable
              onChange={(verdict) => set([id], verdict)}
            />
            {said[id]?.verdict === 'accepted' && (
              <TextInput
                aria-label={`Authority reference of ${reference}`}
                placeholder="Authority reference"
                maxLength={200}
                value={said[id].reference}
                onChange={({ currentTarget }) =>
                  onChange({
                    ...said,
                    [id]: { verdict: 'accepted', reference: currentTarget.value },
                  })
                }
              />
            )}
          </li>
        ))}
      </ul>
    </Stack>
  )
}
