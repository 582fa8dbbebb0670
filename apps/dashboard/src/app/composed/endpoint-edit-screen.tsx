import { CallersPanel } from '../../features/access/access-panels.tsx'
import { EndpointEditPage } from '../../features/endpoints/endpoint-edit-page.tsx'
import { useRecordId } from './record-id.ts'

export function EndpointEditScreen() {
  return (
    <EndpointEditPage>
      <CallersPanel endpointId={useRecordId()} />
    </EndpointEditPage>
  )
}
