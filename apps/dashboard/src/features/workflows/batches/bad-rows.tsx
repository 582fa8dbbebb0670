import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { IconDownload, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { saveFile } from '../../../lib/browser/save-file.ts'
import { FormCard } from '../../../ui/form/form-card.tsx'
import { rowWords } from './batch-words.ts'
import { badRows, goodRows, withRows, type Check } from './mend-csv.ts'
import { problemsOf, type RowProblem } from './problem-words.ts'
import classes from './send-file.module.css'

interface BadRowsProps {
  check: Check
  file: File
  isSending: boolean
  /** The file with what was mended. */
  onMend: (file: File) => void
  /** The file without the bad rows. */
  onSendGood: (file: File) => void
}

/** Rows of CSV that do not fit, to be mended in their place, left out, or taken away. */
export function BadRows({ check, file, isSending, onMend, onSendGood }: BadRowsProps) {
  const { csv, problems, bad, total } = check
  const rows = problems.flatMap(({ line, file_line, cells }) =>
    cells ? [{ line, fileLine: file_line ?? null, cells }] : [],
  )
  const [mended, setMended] = useState<ReadonlyMap<number, readonly string[]>>(new Map())
  if (!csv?.bad_rows || rows.length === 0) return null
  const faults = problemsOf(problems)
  const good = total - bad
  const set = (line: number, cells: readonly string[]) =>
    setMended((now) => new Map(now).set(line, cells))
  return (
    <FormCard
      title="Mend them here"
      description="What you write takes the place of these rows. The file on your machine stays as it is."
    >
      <section
        className={classes['scroll']}
        aria-label="Rows to mend"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: scrollable region
        tabIndex={0}
      >
        <Table fz="sm" aria-label="Rows to mend" className={classes['mend'] ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              {csv.columns.map((name) => (
                <Table.Th key={name}>
                  <bdi>{name}</bdi>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ line, fileLine, cells }) => (
              <MendedRow
                key={line}
                name={(fileLine ?? line).toLocaleString('en')}
                columns={csv.columns}
                cells={mended.get(line) ?? filled(cells, csv.columns.length)}
                faults={faults.filter(({ row }) => row === line)}
                onChange={(next) => set(line, next)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {bad > rows.length && (
        <Text size="sm" c="dimmed">
          The others are shown once these are mended.
        </Text>
      )}
      <Stack gap="xs">
        <Group gap="sm">
          <Button
            disabled={mended.size === 0 || isSending}
            onClick={() => onMend(withRows(file, csv, mended))}
          >
            Check again
          </Button>
          {good > 0 && (
            <Button
              variant="default"
              leftSection={<IconSend size={16} aria-hidden />}
              loading={isSending}
              onClick={() => onSendGood(goodRows(file, csv))}
            >
              Send only what fits: {rowWords(good)}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => saveFile(`bad-rows-${file.name}`, badRows(file, csv))}
          >
            Download the bad rows
          </Button>
        </Group>
      </Stack>
    </FormCard>
  )
}

/** As many cells as there are columns; a row may have had more or fewer. */
const filled = (cells: readonly string[], count: number) =>
  Array.from({ length: count }, (_, at) => cells[at] ?? '')

interface MendedRowProps {
  /** The line of the file. */
  name: string
  columns: readonly string[]
  cells: readonly string[]
  faults: readonly RowProblem[]
  onChange: (cells: readonly string[]) => void
}

function MendedRow({ name, columns, cells, faults, onChange }: MendedRowProps) {
  const ofRow = faults.filter(({ field }) => !columns.includes(field))
  return (
    <Table.Tr>
      <Table.Td>
        {name}
        {ofRow.map(({ message }) => (
          <Text key={message} size="xs" c="var(--mantine-color-error)">
            {message}
          </Text>
        ))}
      </Table.Td>
      {columns.map((column, at) => (
        <Table.Td key={column}>
          <TextInput
            size="xs"
            aria-label={`${column}, line ${name}`}
            value={cells[at] ?? ''}
            error={faults.find(({ field }) => field === column)?.message}
            onChange={(event) => onChange(cells.with(at, event.currentTarget.value))}
          />
        </Table.Td>
      ))}
    </Table.Tr>
  )
}
