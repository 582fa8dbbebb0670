import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useCallback, useEffect, useState, type RefObject } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import type { Clash, Comparison } from '../../lib/format/compare-values.ts'
import type { useFormHold } from '../../lib/forms/form-hold.ts'
import type { FormSaving } from '../../lib/forms/use-save-form.ts'
import { ClashField, type Side, type ValueWords } from '../form/clash-field.tsx'
import { Dialog } from './dialog.tsx'
import { labelOf } from '../form/form-labels.ts'
import { LastChange } from '../page/last-change.tsx'
import { Loading } from '../page/loading.tsx'
import { RetryNotice } from '../page/notice.tsx'

interface ConflictDialogProps {
  saving: FormSaving
  form: RefObject<HTMLFormElement | null>
  words: ValueWords | undefined
  hold: ReturnType<typeof useFormHold>
}

/**
 * What the user has changed beside what somebody else has saved meanwhile, field by field. Closing it leaves the
 * form as it is.
 */
export function ConflictDialog(props: ConflictDialogProps) {
  const { saving, hold } = props
  const { conflict } = saving
  const newest = useNewest(props)
  const isDraft = conflict.cause === 'draft'
  return (
    <Dialog
      isOpen
      title={
        isDraft
          ? 'The record has changed since you typed this'
          : 'Another user has changed this record'
      }
      onClose={conflict.hide}
    >
      <LastChange of={hold.thing} />
      {conflict.comparison ? (
        <Choices {...props} comparison={conflict.comparison} />
      ) : newest.failure === undefined ? (
        <Loading />
      ) : (
        <RetryNotice
          title="What it holds now could not be loaded."
          reason={messageOf(newest.failure)}
          isRetrying={false}
          onRetry={newest.load}
        />
      )}
    </Dialog>
  )
}

/** Loads the record as it is now, while what was typed stays. */
function useNewest({ saving: { conflict }, hold: { fetchNewest } }: ConflictDialogProps) {
  const [failure, setFailure] = useState<unknown>()
  const { noteNewest } = conflict
  const load = useCallback(() => {
    setFailure(undefined)
    fetchNewest?.().then(noteNewest, setFailure)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `noteNewest` does the same in each render
  }, [fetchNewest])
  const isDue = conflict.comparison === undefined
  useEffect(() => {
    if (isDue) load()
  }, [isDue, load])
  return { failure, load }
}

function Choices({
  saving,
  form,
  hold: { reload },
  words,
  comparison,
}: ConflictDialogProps & { comparison: Comparison }) {
  const { clashes, theirs, mine } = comparison
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({})
  const chooseAll = (side: Side) =>
    setSides(Object.fromEntries(clashes.map(({ path }) => [path, side])))
  const isOpen = clashes.some(({ path }) => sides[path] === undefined)
  const settle = (isSaved: boolean) =>
    saving.settleConflict((path) => sides[path] !== 'theirs', isSaved)
  function giveUp() {
    saving.draft.drop()
    void reload?.()
  }
  const labels = (fields: readonly Clash[]) =>
    fields.map(({ path }) => labelOf(form.current ?? document, path)).join(', ')
  return (
    <Stack gap="md">
      {clashes.length > 1 && (
        <Group gap="sm">
          <Button size="xs" variant="default" onClick={() => chooseAll('mine')}>
            Keep all of mine
          </Button>
          <Button size="xs" variant="default" onClick={() => chooseAll('theirs')}>
            Take all of theirs
          </Button>
        </Group>
      )}
      {clashes.map((clash) => (
        <ClashField
          key={clash.path}
          clash={clash}
          words={words?.[clash.path]}
          label={labelOf(form.current ?? document, clash.path)}
          side={sides[clash.path]}
          onChoose={(side) => setSides({ ...sides, [clash.path]: side })}
        />
      ))}
      <Merged clashes={clashes.length} theirs={labels(theirs)} mine={labels(mine)} />
      <Group justify="flex-end" gap="sm">
        {reload && (
          <Button variant="subtle" color="red" me="auto" onClick={giveUp}>
            Reload
          </Button>
        )}
        <Button variant="default" disabled={isOpen} onClick={() => settle(false)}>
          Put into the form
        </Button>
        {saving.conflict.cause === 'save' && (
          <Button disabled={isOpen} onClick={() => settle(true)}>
            Save these
          </Button>
        )}
      </Group>
    </Stack>
  )
}

/** What needs no choice. */
function Merged({ clashes, theirs, mine }: { clashes: number; theirs: string; mine: string }) {
  return (
    <Alert color="gray" p="sm">
      {clashes === 0 && <Text size="sm">No field was changed on both sides: nothing is lost.</Text>}
      {theirs !== '' && <Text size="sm">Changed by the other user alone, and taken: {theirs}</Text>}
      {mine !== '' && <Text size="sm">Changed by you alone, and kept: {mine}</Text>}
      {clashes > 0 && (
        <Text size="sm">Reload takes all of theirs, and what you typed is lost.</Text>
      )}
    </Alert>
  )
}
