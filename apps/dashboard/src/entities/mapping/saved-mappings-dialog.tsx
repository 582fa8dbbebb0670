import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SavedMapping } from '@gatehouse/contract'
import { useState } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifyError, notifySuccess } from '../../lib/page/notify.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { useMutation } from '../../lib/calls/use-mutation.ts'
import { useWhileShown } from '../../lib/page/use-while-shown.ts'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { PageButtons } from '../../ui/table/page-buttons.tsx'
import { SearchBox } from '../../ui/table/search-box.tsx'
import { newRow, type FormRow } from './mapping-form.ts'
import classes from './table/mapping-rows.module.css'
import {
  loadMapping,
  removeMapping,
  saveMapping,
  savedMappingQueries,
  type MappingInUse,
  type MappingSummary,
} from './saved-mapping-queries.ts'

interface SavedMappingsDialogProps {
  rows: FormRow[]
  onRows: (rows: FormRow[]) => void
  inUse: MappingInUse | undefined
  onUse: (mapping: MappingInUse | undefined) => void
  onClose: () => void
}

/** Mappings that are saved on the server: one is loaded into the table, or the table is saved as one. */
export function SavedMappingsDialog(props: SavedMappingsDialogProps) {
  const { rows, onRows, inUse, onUse, onClose } = props
  const can = useCan()
  const client = useQueryClient()
  const [deleting, setDeleting] = useState<MappingSummary>()
  const refetch = () => client.invalidateQueries({ queryKey: savedMappingQueries.all })
  const loading = useMutation({
    mutationFn: ({ id }: MappingSummary) => loadMapping(id),
    onSuccess: useWhileShown((mapping: SavedMapping) => {
      onRows(mapping.rows.map((row) => newRow(withoutUndefined(row))))
      onUse(mapping)
      onClose()
    }),
    onError: (error) => notifyError('The mapping could not be loaded.', messageOf(error)),
  })
  return (
    <Dialog isOpen title="Saved mappings" onClose={onClose}>
      {can('request.send') && <SaveForm {...props} onSaved={refetch} />}
      <SavedList
        canDelete={can('request.send')}
        isLoading={loading.isPending}
        onLoad={loading.mutate}
        onDelete={setDeleting}
      />
      {rows.length > 0 && (
        <Text size="xs" c="dimmed">
          Loading replaces the {rows.length === 1 ? 'row' : `${rows.length} rows`} of the table.
        </Text>
      )}
      <DeleteDialog
        row={deleting}
        noun="mapping"
        renderConsequences={({ name }) => (
          <Text size="sm">{name} is deleted. What was made with it stays as it is.</Text>
        )}
        remove={async (mapping) => {
          await removeMapping(mapping)
          if (mapping.id === inUse?.id) onUse(undefined)
          await refetch()
        }}
        onClose={() => setDeleting(undefined)}
      />
    </Dialog>
  )
}

const withoutUndefined = ({ source, ...row }: SavedMapping['rows'][number]) =>
  source === undefined ? row : { ...row, source }

interface SaveFormProps extends SavedMappingsDialogProps {
  onSaved: () => Promise<void>
}

/** Saves the rows of the table. Another user's save in between is not overwritten. */
function SaveForm({ rows, inUse, onUse, onSaved }: SaveFormProps) {
  const [name, setName] = useState(inUse?.name ?? '')
  const saving = useMutation({
    mutationFn: () => saveMapping(name, rows, inUse),
    onSuccess: async (mapping) => {
      onUse(mapping)
      notifySuccess(`${mapping.name} is saved as version ${mapping.version}.`)
      await onSaved()
    },
  })
  const isOver = inUse !== undefined && inUse.name === name.trim()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        // The dialog is inside of forms of the screen, as React sees it.
        event.stopPropagation()
        saving.mutate()
      }}
    >
      <Group align="flex-start" gap="sm">
        <TextInput
          label="Save the rows as"
          description={isOver ? `Version ${inUse.version} is in the table.` : undefined}
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.currentTarget.value)}
          error={saving.isError ? messageOf(saving.error) : undefined}
          style={{ flex: '1 1 200px' }}
        />
        <Button
          type="submit"
          loading={saving.isPending}
          disabled={rows.length === 0 || name.trim() === ''}
          mt={isOver ? 46 : 25}
        >
          {isOver ? 'Save next version' : 'Save'}
        </Button>
      </Group>
    </form>
  )
}

interface SavedListProps {
  canDelete: boolean
  isLoading: boolean
  onLoad: (mapping: MappingSummary) => void
  onDelete: (mapping: MappingSummary) => void
}

function SavedList({ canDelete, isLoading, onLoad, onDelete }: SavedListProps) {
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const query = useQuery(savedMappingQueries.list(search, page))
  const [list] = query.data ?? []
  return (
    <Stack gap="sm">
      <SearchBox
        label="Search saved mappings"
        value={search}
        onChange={(text) => {
          setSearch(text)
          setPage(1)
        }}
      />
      {query.isError && (
        <Text size="sm" c="var(--mantine-color-error)">
          {messageOf(query.error)}
        </Text>
      )}
      {list?.total === 0 && (
        <Text size="sm" c="dimmed">
          {search === '' ? 'No mapping is saved yet.' : 'No saved mapping has this name.'}
        </Text>
      )}
      {list && list.total > 0 && (
        <ul className={classes['saved']} aria-label="Saved mappings">
          {list.data.map((mapping) => (
            <li key={mapping.id}>
              <div className={classes['savedName']}>
                <Text size="sm" fw={600}>
                  {mapping.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {mapping.rows_count === 1 ? '1 row' : `${mapping.rows_count} rows`} · version{' '}
                  {mapping.version} · {mapping.user_name},{' '}
                  <Moment at={mapping.updated_at} isRelative />
                </Text>
              </div>
              <Group gap={4} wrap="nowrap">
                <Button
                  size="compact-sm"
                  variant="light"
                  disabled={isLoading}
                  aria-label={`Load ${mapping.name}`}
                  onClick={() => onLoad(mapping)}
                >
                  Load
                </Button>
                {canDelete && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    aria-label={`Delete ${mapping.name}`}
                    onClick={() => onDelete(mapping)}
                  >
                    Delete
                  </Button>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
      {list && list.last_page > 1 && (
        <PageButtons page={page} pageCount={list.last_page} onChange={setPage} />
      )}
    </Stack>
  )
}
