import { CallablePanel } from '../../features/access/access-panels.tsx'
import { RoleEditPage } from '../../features/roles/role-edit-page.tsx'
import { useRecordId } from '../../lib/page/use-record-id.ts'

export function RoleEditScreen() {
  return (
    <RoleEditPage>
      <CallablePanel subject="role" id={useRecordId()} />
    </RoleEditPage>
  )
}
