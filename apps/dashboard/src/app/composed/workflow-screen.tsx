import { RunnersPanel } from '../../features/access/access-panels.tsx'
import { WorkflowPage } from '../../features/workflows/workflow-page.tsx'
import { useRecordId } from '../../lib/page/use-record-id.ts'

export function WorkflowScreen() {
  return (
    <WorkflowPage>
      <RunnersPanel workflowId={useRecordId()} />
    </WorkflowPage>
  )
}
