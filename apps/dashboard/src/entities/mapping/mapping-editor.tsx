import { Button, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconBraces, IconPlus, IconTable } from '@tabler/icons-react'
import type { MappingError } from '@gatehouse/contract/mapping'
import { useMemo, useState, type ReactNode } from 'react'
import classes from './mapping-rows.module.css'
import {
  maxRows,
  rowsFromText,
  rowsToText,
  type FormRow,
  type SourceChoice,
} from './mapping-form.ts'
import type { RowErrors } from './mapping-row-fields.tsx'
import { MappingRowLine } from './mapping-row-line.tsx'
import type { MappingRows } from './use-mapping-rows.ts'
import { CoverageNote } from './coverage-note.tsx'
import { MappingMenu } from './mapping-menu.tsx'
import type { SourceCoverage } from './source-coverage.ts'
import { JsonPane, type JsonPaneProblem } from '../../ui/json-pane.tsx'

interface MappingEditorProps {
  rows: FormRow[]
  errors: readonly RowProblem[]
  mapping: MappingRows
  /** What From can read from, chosen for each row; absent where there is only one thing. */
  sources?: readonly SourceChoice[]
  /** Shown while there are no rows. */
  hint?: ReactNode
  /** What From of each row gives now, in short. */
  values?: readonly (string | undefined)[]
  coverage?: SourceCoverage | undefined
}

/** A problem of one field of a row, or of the whole row. */
export type RowProblem = Pick<MappingError, 'row' | 'message'> & { field: keyof RowErrors }

/** Mapping Data: rows of From, To, Custom Input and Type, or the same as JSON text (spec: screens). */
export function MappingEditor(props: MappingEditorProps) {
  const { rows, errors, mapping, sources, hint = defaultHint, values, coverage } = props
  const errorsByRow = useMemo(() => groupByRow(errors), [errors])
  const { isJsonShown } = mapping
  const ToggleIcon = isJsonShown ? IconTable : IconBraces
  return (
    <Stack id={mapping.editorId} gap="md">
      <Group justify="space-between" gap="xs">
        <Title order={3} id={`${mapping.editorId}-title`}>
          Mapping Data
        </Title>
        <Group gap="xs" justify="flex-end" style={{ flexGrow: 1 }}>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<ToggleIcon size={14} aria-hidden />}
            onClick={mapping.handleToggleJson}
          >
            {isJsonShown ? 'Show rows' : 'Show JSON'}
          </Button>
          <MappingMenu rows={rows} onRows={mapping.handleRows} />
        </Group>
      </Group>
      {isJsonShown ? (
        <MappingRowsJson
          rows={rows}
          onRows={mapping.handleRows}
          hasSources={sources !== undefined}
        />
      ) : (
        <div className={classes['rows']}>
          {rows.length === 0 && (
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          )}
          {rows.length > 0 && <ColumnHeads hasSources={sources !== undefined} />}
          {rows.map((row, index) => (
            <MappingRowLine
              key={row.id}
              isFar={index >= nearRows && index < rows.length - 1}
              row={row}
              number={index + 1}
              errors={errorsByRow.get(index)}
              sources={sources}
              onChange={mapping.handleChange}
              onRemove={mapping.handleRemove}
              onMove={mapping.handleMove}
              value={values?.[index]}
            />
          ))}
        </div>
      )}
      <Group gap="sm">
        <Button
          data-add-row
          variant="light"
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={rows.length >= maxRows}
          onClick={mapping.handleAdd}
        >
          Add Mapping
        </Button>
        {rows.length >= maxRows && (
          <Text size="xs" c="dimmed">
            A mapping has at most {maxRows} rows.
          </Text>
        )}
      </Group>
      <CoverageNote
        coverage={coverage}
        // Where there are several sources it is not said which one a name is of.
        onMapUnread={sources ? undefined : mapping.handleUnread}
      />
      <VisuallyHidden component="output">{mapping.said}</VisuallyHidden>
    </Stack>
  )
}

/** So many have their fields at once; with 200 of them the page would stand still. */
const nearRows = 24

const defaultHint = (
  <>
    No rows yet. Click a value in the From pane, or add a row: From is a path into the fetched JSON,
    like <code>items[0].sku</code>; To is where it goes. Custom Input stands in where From is blank
    or finds nothing.
  </>
)

/** Where the rows are wide enough to be a table; each field has its own label too. */
function ColumnHeads({ hasSources }: { hasSources: boolean }) {
  return (
    <div className={classes['heads']} data-sources={hasSources || undefined} aria-hidden>
      {hasSources && <span>Source</span>}
      <span>From</span>
      <span>To</span>
      <span>Custom Input</span>
      <span>Type</span>
      <span>Value</span>
    </div>
  )
}

function groupByRow(errors: readonly RowProblem[]) {
  const byRow = new Map<number, RowErrors>()
  for (const { row, field, message } of errors) {
    byRow.set(row, { [field]: message, ...byRow.get(row) })
  }
  return byRow
}

interface MappingRowsJsonProps {
  rows: FormRow[]
  onRows: (rows: FormRow[]) => void
  hasSources: boolean
}

interface Draft {
  /** The rows that the text was made from, or was last read as. */
  rows: FormRow[]
  text: string
  problem?: JsonPaneProblem
}

/** The rows as JSON text, to copy, paste or edit; they follow as soon as the text is right. */
function MappingRowsJson({ rows, onRows, hasSources }: MappingRowsJsonProps) {
  const [draft, setDraft] = useState<Draft>(() => ({ rows, text: rowsToText(rows, 2) }))
  if (draft.rows !== rows) setDraft({ rows, text: rowsToText(rows, 2) })

  function handleChange(text: string) {
    const parsed = rowsFromText(text, { hasSources })
    if (!parsed.ok) return setDraft({ rows, text, problem: parsed.problem })
    setDraft({ rows: parsed.rows, text })
    return onRows(parsed.rows)
  }
  return (
    <JsonPane
      label="Mapping rows as JSON"
      value={draft.text}
      onChange={handleChange}
      problem={draft.problem}
      minHeight={120}
      maxHeight="50vh"
    />
  )
}
