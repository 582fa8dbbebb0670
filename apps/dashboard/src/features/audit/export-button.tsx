import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import type { ExportQuery } from './export-audit.ts'

/** Downloads what the filters let through, all pages of it. */
export function ExportButton({ query }: { query: ExportQuery }) {
  const [isWorking, setIsWorking] = useState(false)

  async function handleExport() {
    setIsWorking(true)
    try {
      const { exportAudit } = await import('./export-audit.ts')
      await exportAudit(query)
    } catch (error) {
      notifyError('Failed to export the audit trail.', messageOf(error))
    } finally {
      setIsWorking(false)
    }
  }

  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={isWorking}
      onClick={() => void handleExport()}
    >
      Export CSV
    </Button>
  )
}
