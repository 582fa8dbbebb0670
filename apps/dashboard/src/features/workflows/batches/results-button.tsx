import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { messageOf } from '../../../lib/calls/call-error.ts'
import { notifyError } from '../../../lib/page/notify.tsx'
import { saveCsv, saveFile } from '../../../lib/browser/save-file.ts'
import { useMutation } from '../../../lib/calls/use-mutation.ts'
import { fetchResults, type BatchPlace } from './batch-queries.ts'
import { batchesMessages } from './batch-words.ts'

/** Downloads one line for each row, in the order of the upload. */
export function ResultsButton({ place }: { place: BatchPlace }) {
  const download = useMutation({
    mutationFn: async (format: 'csv' | 'ndjson') => {
      const file = await fetchResults(place, format)
      const name = `batch-${place.id}.${format}`
      if (format === 'csv') saveCsv(name, file)
      else saveFile(name, file)
    },
    onError: (error) => notifyError(batchesMessages.noResults, messageOf(error)),
  })
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={download.isPending}
        >
          Results
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => download.mutate('csv')}>CSV, for spreadsheets</Menu.Item>
        <Menu.Item onClick={() => download.mutate('ndjson')}>JSON lines</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
