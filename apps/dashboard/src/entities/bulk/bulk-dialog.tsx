import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { BulkOutcome } from '@gatehouse/contract'
import { messageOf } from '../../lib/calls/call-error.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { TagsField } from '../tag/tags-field.tsx'
import classes from './bulk.module.css'
import { bulkWords, countOf, outcomeWords, type BulkKind, type BulkVerb } from './bulk-words.ts'
import { RoleSelect } from './role-select.tsx'
import {
  lackOf,
  noChoice,
  useBulkChange,
  useUndoBulk,
  type BulkChoice,
  type BulkTarget,
} from './use-bulk-change.ts'

const loadUndo = () => import('../../ui/dialog/undo-toast.tsx')

interface BulkDialogProps {
  kind: BulkKind
  verb: BulkVerb
  target: BulkTarget
  onClose: () => void
}

/** Says what will happen to which rows; then what became of each. */
export function BulkDialog({ kind, verb, target, onClose }: BulkDialogProps) {
  const [choice, setChoice] = useState(noChoice)
  const [failure, setFailure] = useState<string>()
  const { results, isWorking, begin, stop } = useBulkChange(kind, verb, target)
  const undo = useUndoBulk(kind, verb)
  const words = bulkWords[kind][verb]
  const label = words?.label ?? verb

  async function handleConfirm() {
    const lack = lackOf(verb, choice)
    setFailure(lack)
    if (lack) return
    try {
      await begin(choice)
    } catch (error) {
      setFailure(messageOf(error))
    }
  }
  function handleClose() {
    stop()
    onClose()
  }

  if (results) {
    const title = `${label}: ${summaryOf(results)}`
    const canUndo = undo && !isWorking && results.some(({ outcome }) => outcome === 'done')
    const handleEnd = () => {
      handleClose()
      if (canUndo) void loadUndo().then(({ notifyUndo }) => notifyUndo(title, () => undo(results)))
    }
    const handleUndo = () => {
      handleClose()
      if (undo) void loadUndo().then(({ undoWithWords }) => undoWithWords(() => undo(results)))
    }
    return (
      <ConfirmDialog
        isOpen
        title={isWorking ? `${label}: ${results.length} so far` : title}
        failure={failure}
        onConfirm={handleEnd}
        onClose={handleEnd}
      >
        <Results results={results} />
        {canUndo && (
          <Group>
            <Button size="compact-sm" variant="default" onClick={handleUndo}>
              Undo
            </Button>
          </Group>
        )}
        {isWorking && (
          <Text size="sm" c="dimmed" aria-live="polite">
            The server goes through all of them. To close this stops after those that are under way.
          </Text>
        )}
      </ConfirmDialog>
    )
  }
  const count = 'rows' in target ? target.rows.length : target.total
  const things = countOf(kind, count)
  return (
    <ConfirmDialog
      isOpen
      title={`${label}: ${things}?`}
      confirmLabel={`${label}: ${things}`}
      isHarmless={words?.isHarmless ?? false}
      isWorking={isWorking}
      failure={failure}
      onConfirm={() => void handleConfirm()}
      onClose={handleClose}
    >
      <Text size="sm">{words?.says}</Text>
      <Fields kind={kind} verb={verb} choice={choice} onChange={setChoice} />
      {'rows' in target ? (
        <ul className={classes['lines']} aria-label="Selected">
          {target.rows.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      ) : (
        <Text size="sm">
          This is done to all that the search and the filters of the list find, on every page.
        </Text>
      )}
    </ConfirmDialog>
  )
}

/** More lines than these are not read. */
const linesMax = 100

/** Those that were refused first. */
function Results({ results }: { results: readonly BulkOutcome[] }) {
  const sorted = results.toSorted((one, other) => rankOf(one) - rankOf(other))
  return (
    <>
      <ul className={classes['lines']} aria-label="Results">
        {sorted.slice(0, linesMax).map((result) => (
          <li key={result.id} data-outcome={result.outcome}>
            <b>{result.name === '' ? `#${result.id}` : result.name}</b>
            <span>{outcomeWords(result)}</span>
          </li>
        ))}
      </ul>
      {results.length > linesMax && (
        <Text size="sm" c="dimmed">
          These are the first {linesMax} of {results.length.toLocaleString('en')}. The audit trail
          has all that were done.
        </Text>
      )}
    </>
  )
}

const rankOf = ({ outcome }: BulkOutcome) => (outcome === 'refused' ? 0 : 1)

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
