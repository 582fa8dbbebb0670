import { CallablePanel } from '../../features/access/access-panels.tsx'
import { UserEditPage } from '../../features/users/user-edit-page.tsx'
import { useRecordId } from '../../lib/page/use-record-id.ts'

export function UserEditScreen() {
  return (
    <UserEditPage>
      <CallablePanel subject="user" id={useRecordId()} />
    </UserEditPage>
  )
}
