import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { BulkOutcome } from '@gatehouse/contract'
import { messageOf } from '../../lib/call-error.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TagsField } from '../tag/tags-field.tsx'
import classes from './bulk.module.css'
import { bulkWords, countOf, outcomeWords, type BulkKind, type BulkVerb } from './bulk-words.ts'
import { RoleSelect } from './role-select.tsx'
import { lackOf, noChoice, useBulkChange, type BulkChoice } from './use-bulk-change.ts'

interface BulkDialogProps {
  kind: BulkKind
  verb: BulkVerb
  rows: readonly { id: number; name: string }[]
  onClose: () => void
}

/** Says what will happen to which rows; then what became of each. */
export function BulkDialog({ kind, verb, rows, onClose }: BulkDialogProps) {
  const [choice, setChoice] = useState(noChoice)
  const [failure, setFailure] = useState<string>()
  const [results, setResults] = useState<readonly BulkOutcome[]>()
  const change = useBulkChange(kind, verb)
  const words = bulkWords[kind][verb]
  const label = words?.label ?? verb

  async function handleConfirm() {
    const lack = lackOf(verb, choice)
    setFailure(lack)
    if (lack) return
    try {
      setResults(await change.mutateAsync({ ids: rows.map(({ id }) => id), choice }))
    } catch (error) {
      setFailure(messageOf(error))
    }
  }

  const things = countOf(kind, rows.length)
  if (results) {
    return (
      <ConfirmDialog
        isOpen
        title={`${label}: ${summaryOf(results)}`}
        onConfirm={onClose}
        onClose={onClose}
      >
        <ul className={classes['lines']} aria-label="Results">
          {results.map((result) => (
            <li key={result.id} data-outcome={result.outcome}>
              <b>{result.name === '' ? `#${result.id}` : result.name}</b>
              <span>{outcomeWords(result)}</span>
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog
      isOpen
      title={`${label}: ${things}?`}
      confirmLabel={`${label}: ${things}`}
      isHarmless={words?.isHarmless ?? false}
      isWorking={change.isPending}
      failure={failure}
      onConfirm={() => void handleConfirm()}
      onClose={onClose}
    >
      <Text size="sm">{words?.says}</Text>
      <Fields kind={kind} verb={verb} choice={choice} onChange={setChoice} />
      <ul className={classes['lines']} aria-label="Selected">
        {rows.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}

interface FieldsProps {
  kind: BulkKind
  verb: BulkVerb
  choice: BulkChoice
  onChange: (choice: BulkChoice) => void
}

function Fields({ kind, verb, choice, onChange }: FieldsProps) {
  if (verb === 'grant')
    return (
      <RoleSelect
        label="Role"
        placeholder="Choose a role"
        value={choice.role}
        onChange={(role) => onChange({ ...choice, role: role ?? '' })}
      />
    )
  if (verb !== 'tag') return null
  return (
    <Stack gap="xs">
      <TagsField
        of={kind}
        label="Tags to add"
        value={choice.add}
        onChange={(add) => onChange({ ...choice, add })}
      />
      <TagsField
        of={kind}
        label="Tags to remove"
        value={choice.remove}
        onChange={(remove) => onChange({ ...choice, remove })}
      />
    </Stack>
  )
}

function summaryOf(results: readonly BulkOutcome[]): string {
  const count = (of: BulkOutcome['outcome']) =>
    results.filter(({ outcome }) => outcome === of).length
  return [
    `${count('done')} done`,
    ...(count('unchanged') > 0 ? [`${count('unchanged')} unchanged`] : []),
    ...(count('refused') > 0 ? [`${count('refused')} refused`] : []),
  ].join(', ')
}
