import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '../../lib/call-error.ts'
import { notifyError, notifyInfo } from '../../lib/notify.tsx'
import { fetchExport } from './audit-queries.ts'
import { saveCsv } from '../../lib/save-file.ts'

/** Downloads what the filters let through, all pages of it. */
export function ExportButton({ query }: { query: Parameters<typeof fetchExport>[0] }) {
  const [isWorking, setIsWorking] = useState(false)

  async function handleExport() {
    setIsWorking(true)
    try {
      const { filename, csv, is_complete } = await fetchExport(query)
      saveCsv(filename, csv)
      if (!is_complete) {
        notifyInfo(
          'The export is not complete.',
          'It holds the newest 50,000 events. Narrow it down.',
        )
      }
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
