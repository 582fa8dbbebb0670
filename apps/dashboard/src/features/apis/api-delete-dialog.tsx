import { Anchor, Code, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { ApiListRow } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { readSubmittedApi } from '../../entities/api/submitted-api.ts'
import { useUndo } from '../../entities/undo/use-undo.ts'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'
import { useDeleteApi } from './api-queries.ts'

interface ApiDeleteDialogProps {
  row: ApiListRow | undefined
  onClose: () => void
}

/** An API can be deleted once it has no endpoints; the server answers 409 otherwise. */
export function ApiDeleteDialog({ row, onClose }: ApiDeleteDialogProps) {
  const deletion = useDeleteApi()
  const undo = useUndo('api')
  return (
    <DeleteDialog
      row={row}
      noun="API"
      canGo={(api) => api.endpoints_count === 0}
      renderConsequences={(api) =>
        api.endpoints_count === 0 ? <WhatGoes api={api} /> : <Why api={api} />
      }
      remove={(api) => deletion.mutateAsync(api.id)}
      undo={(api) => undo([api.id])}
      onClose={onClose}
    />
  )
}

function WhatGoes({ api }: { api: ApiListRow }) {
  const { name, context, credential, has_upstream_token, has_password } = readSubmittedApi(api)
  const hasSecret = credential !== null || has_upstream_token || has_password
  return (
    <Text size="sm">
      <b>{name}</b> will be deleted{hasSecret && ', with the credential stored for it'}. Its prefix{' '}
      <Code>/{context}</Code> on the gateway becomes free. You can undo this for 10 seconds.
    </Text>
  )
}

function Why({ api }: { api: ApiListRow }) {
  const count = api.endpoints_count
  return (
    <Text size="sm">
      <b>{readSubmittedApi(api).name}</b> still has{' '}
      {count === 1 ? '1 endpoint' : `${count} endpoints`}, so it cannot be deleted. Delete{' '}
      {count === 1 ? 'it' : 'them'} first, under{' '}
      <Anchor component={Link} to={paths.endpoints} inherit underline="always">
        Endpoints
      </Anchor>
      .
    </Text>
  )
}
