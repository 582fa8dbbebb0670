import { Alert, Button, List, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { saveCsv } from '../../lib/browser/save-file.ts'
import { useCan } from '../../lib/session/session.tsx'
import type { FormRow } from './mapping-form.ts'
import type { MappingInUse } from './saved-mapping-queries.ts'

const SavedMappingsDialog = lazy(() =>
  import('./saved-mappings-dialog.tsx').then(({ SavedMappingsDialog }) => ({
    default: SavedMappingsDialog,
  })),
)

interface MappingMenuProps {
  rows: FormRow[]
  onRows: (rows: FormRow[]) => void
  onPasteRows: () => void
}

const largestFileBytes = 1024 * 1024

/** What is done with all rows together. A file that can't be read says why, line by line. */
export function MappingMenu({ rows, onRows, onPasteRows }: MappingMenuProps) {
  const can = useCan()
  const [isSavedOpen, setIsSavedOpen] = useState(false)
  const [inUse, setInUse] = useState<MappingInUse>()
  const input = useRef<HTMLInputElement>(null)
  const [problems, setProblems] = useState<string[]>([])
  async function handleFile(file: File | undefined) {
    if (!file) return
    const read = await readFile(file)
    setProblems(read.ok ? [] : read.problems)
    if (read.ok) onRows(read.rows)
  }
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconDots size={14} aria-hidden />}
          >
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {can('request.view') && (
            <Menu.Item onClick={() => setIsSavedOpen(true)}>Saved mappings</Menu.Item>
          )}
          <Menu.Item onClick={onPasteRows}>Paste rows from a spreadsheet</Menu.Item>
          <Menu.Item onClick={() => input.current?.click()}>Import rows from CSV</Menu.Item>
          <Menu.Item disabled={rows.length === 0} onClick={() => void exportRows(rows)}>
            Export rows as CSV
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="CSV file of mapping rows"
        accept=".csv,.tsv,text/csv"
        onChange={(event) => {
          void handleFile(event.currentTarget.files?.[0])
          // The same file can be chosen again.
          event.currentTarget.value = ''
        }}
      />
      {isSavedOpen && (
        <Suspense fallback={null}>
          <SavedMappingsDialog
            rows={rows}
            onRows={onRows}
            inUse={inUse}
            onUse={setInUse}
            onClose={() => setIsSavedOpen(false)}
          />
        </Suspense>
      )}
      {problems.length > 0 && (
        <Alert
          color="red"
          title="The file was not imported"
          withCloseButton
          closeButtonLabel="Dismiss"
          onClose={() => setProblems([])}
          style={{ flexBasis: '100%' }}
        >
          <List size="sm" listStyleType="none">
            {problems.map((problem) => (
              <List.Item key={problem} style={{ overflowWrap: 'anywhere' }}>
                {problem}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  )
}

// Loaded when it is needed: few sessions touch a file.
const csv = () => import('./mapping-csv.ts')

async function readFile(file: File) {
  if (file.size > largestFileBytes) {
    return { ok: false as const, problems: ['The file is larger than 1 MiB.'] }
  }
  const { rowsFromCsv } = await csv()
  return rowsFromCsv(await file.text())
}

async function exportRows(rows: FormRow[]) {
  const { rowsToCsv } = await csv()
  saveCsv('mapping.csv', rowsToCsv(rows))
}
