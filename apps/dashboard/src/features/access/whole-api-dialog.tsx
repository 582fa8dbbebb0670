import { Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { RoleOption } from '@gatehouse/contract'
import { RoleSelect } from '../../entities/bulk/role-select.tsx'
import { reasonOf } from '../../lib/calls/call-error.ts'
import { notifySuccess } from '../../lib/page/notify.tsx'
import { useWhileShown } from '../../lib/page/use-while-shown.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { accessMessages } from './access-messages.ts'
import { AccessPreview } from './access-preview.tsx'
import { useChangeAccess } from './access-queries.ts'

interface WholeApiDialogProps {
  apiId: number
  /** The role that loses it; absent: it is given to a role that is chosen here. */
  from?: RoleOption
  onClose: () => void
}

/** Gives a role access to every endpoint of an API at once, or takes it. Says before how many those are. */
export function WholeApiDialog({ apiId, from, onClose }: WholeApiDialogProps) {
  const [chosen, setChosen] = useState('')
  const roleId = from?.id ?? Number(chosen)
  const close = useWhileShown(onClose)
  const change = useChangeAccess(() => {
    notifySuccess(accessMessages.saved.text)
    close()
  })
  const difference = useMemo(
    () => ({
      add: [],
      remove: [],
      add_apis: from ? [] : [apiId],
      remove_apis: from ? [apiId] : [],
    }),
    [apiId, from],
  )
  const access = useMemo(() => ({ difference }), [difference])

  const verb = from ? 'Take the whole API' : 'Grant the whole API'
  return (
    <ConfirmDialog
      isOpen
      title={from ? `Take the whole API from ${from.name}?` : 'Grant the whole API to a role?'}
      confirmLabel={roleId > 0 ? verb : undefined}
      isHarmless={!from}
      isWorking={change.isPending}
      failure={change.isError ? reasonOf(change.error) : undefined}
      onConfirm={() => change.mutate({ roleId, ...access })}
      onClose={onClose}
    >
      <Stack gap="sm">
        {from === undefined && (
          <RoleSelect
            label="Role"
            placeholder="Choose a role"
            value={chosen}
            onChange={(id) => setChosen(id ?? '')}
          />
        )}
        {roleId > 0 && <AccessPreview key={roleId} roleId={roleId} chosen={access} />}
        <Text size="sm" c="dimmed">
          {from
            ? 'The role loses every endpoint that the API has. Access to those of other APIs stays.'
            : 'The role gets every endpoint that the API has now. One that is added later is granted separately.'}
        </Text>
      </Stack>
    </ConfirmDialog>
  )
}
