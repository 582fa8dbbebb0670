import { Button, Group, Text, Title, VisuallyHidden } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBraces,
  IconPlus,
  IconTable,
} from '@tabler/icons-react'
import type { MappingError } from '@gatehouse/contract/mapping'
import { useMemo, useState, type ClipboardEvent, type ReactNode } from 'react'
import classes from './mapping-editor.module.css'
import {
  maxRows,
  rowsFromText,
  rowsToText,
  type FormRow,
  type SourceChoice,
} from './mapping-form.ts'
import type { RowErrors } from './table/mapping-row-line.tsx'
import { MappingTable } from './table/mapping-table.tsx'
import type { MappingRows } from './use-mapping-rows.ts'
import { CoverageNote } from './coverage-note.tsx'
import { HistoryButton } from './history-button.tsx'
import { MappingMenu } from './mapping-menu.tsx'
import type { SourceCoverage } from './source-coverage.ts'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { JsonPane, type JsonPaneProblem } from '../../ui/json/json-pane.tsx'

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
  const [pasted, setPasted] = useState<string>()
  const [wasPasted, setWasPasted] = useState(false)

  function handlePasteRows(text: string) {
    setPasted(text)
    setWasPasted(true)
  }
  /** Several cells or lines, as a spreadsheet copies them, are rows and not the text of one field. */
  function handlePaste(event: ClipboardEvent<HTMLElement>) {
    if (!(event.target instanceof HTMLInputElement)) return
    const text = event.clipboardData.getData('text/plain')
    if (!/[\t\n]/.test(text.trim())) return
    event.preventDefault()
    handlePasteRows(text)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys come from the fields in it
    <div
      id={mapping.editorId}
      className={classes['editor']}
      onKeyDown={mapping.handleUndoKeys}
      onPaste={handlePaste}
    >
      <EditorHead rows={rows} mapping={mapping} onPasteRows={() => handlePasteRows('')} />
      {isJsonShown && (
        <MappingRowsJson
          rows={rows}
          onRows={mapping.handleRows}
          hasSources={sources !== undefined}
        />
      )}
      {!isJsonShown && rows.length === 0 && (
        <div className={classes['empty']}>
          <Text fw={600}>No rows yet</Text>
          <Text size="sm" c="dimmed" maw="54ch">
            {hint}
          </Text>
        </div>
      )}
      {!isJsonShown && rows.length > 0 && (
        <MappingTable
          rows={rows}
          errorsByRow={errorsByRow}
          mapping={mapping}
          sources={sources}
          values={values}
        />
      )}
      <Group gap="sm">
        <Button
          data-add-row
          variant="light"
          size="compact-sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={rows.length >= maxRows}
          onClick={mapping.handleAdd}
        >
          Add Mapping
        </Button>
        <CoverageNote
          coverage={coverage}
          // Where there are several sources it is not said which one a name is of.
          onMapUnread={sources ? undefined : mapping.handleUnread}
        />
        {rows.length >= maxRows && (
          <Text size="xs" c="dimmed">
            A mapping has at most {maxRows} rows.
          </Text>
        )}
      </Group>
      {wasPasted && (
        <PasteDialog
          text={pasted}
          room={maxRows - rows.length}
          blank={mapping.blank}
          onAdd={(added) => {
            mapping.handleAppend(added)
            setPasted(undefined)
          }}
          onClose={() => setPasted(undefined)}
        />
      )}
      <VisuallyHidden component="output">{mapping.said}</VisuallyHidden>
    </div>
  )
}

// Loaded when it is needed: few mappings come from a spreadsheet.
const PasteDialog = lazyPart(async () => (await import('./paste-dialog.tsx')).PasteDialog)

interface EditorHeadProps {
  rows: FormRow[]
  mapping: MappingRows
  onPasteRows: () => void
}

function EditorHead({ rows, mapping, onPasteRows }: EditorHeadProps) {
  const { isJsonShown, undo, redo } = mapping
  const ToggleIcon = isJsonShown ? IconTable : IconBraces
  return (
    <Group justify="space-between" gap="xs">
      <Title order={3} id={`${mapping.editorId}-title`}>
        Mapping Data
      </Title>
      <Group gap={4} justify="flex-end" style={{ flexGrow: 1 }}>
        <HistoryButton label="Undo" keys="Ctrl+Z" Icon={IconArrowBackUp} onClick={undo} />
        <HistoryButton label="Redo" keys="Ctrl+Y" Icon={IconArrowForwardUp} onClick={redo} />
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<ToggleIcon size={14} aria-hidden />}
          onClick={mapping.handleToggleJson}
        >
          {isJsonShown ? 'Show rows' : 'Show JSON'}
        </Button>
        <MappingMenu rows={rows} onRows={mapping.handleRows} onPasteRows={onPasteRows} />
      </Group>
    </Group>
  )
}

const defaultHint = (
  <>
    Click a value in the From pane, or add a row: From is a path into the fetched JSON, like{' '}
    <code>items[0].sku</code>; To is where it goes. Custom Input stands in where From is blank or
    finds nothing.
  </>
)

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
