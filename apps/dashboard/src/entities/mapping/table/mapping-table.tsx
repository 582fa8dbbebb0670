import { Button, CloseButton, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { FormRow, SourceChoice } from '../mapping-form.ts'
import type { MappingRows } from '../use-mapping-rows.ts'
import classes from './mapping-rows.module.css'
import { MappingRowLine, type RowErrors } from './mapping-row-line.tsx'
import { useRowWindow } from './row-window.ts'

interface MappingTableProps {
  rows: FormRow[]
  errorsByRow: ReadonlyMap<number, RowErrors>
  mapping: MappingRows
  sources: readonly SourceChoice[] | undefined
  values: readonly (string | undefined)[] | undefined
}

/** The height of a line of the table, with its border. */
const rowHeight = 36

/**
 * The rows as a table of which the part in sight is drawn. ↑ and ↓ go to the same field of the next row, and a
 * bar at the bottom says what can be done to the rows that are selected.
 */
export function MappingTable({ rows, errorsByRow, mapping, sources, values }: MappingTableProps) {
  const [focused, setFocused] = useState<string>()
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const { frame, row, onScroll, drawn, after } = useRowWindow<HTMLTableSectionElement>({
    ids,
    rowHeight,
    kept: [mapping.aim, focused],
  })
  return (
    <div className={classes['whole']}>
      <table
        className={classes['table']}
        aria-labelledby={`${mapping.editorId}-title`}
        aria-rowcount={rows.length + 1}
      >
        <ColumnHeads hasSources={sources !== undefined} />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys come from its fields */}
        <tbody
          ref={frame}
          className={classes['rows']}
          onScroll={onScroll}
          onKeyDown={goByKey}
          onFocus={({ target }) => setFocused(rowAround(target)?.dataset['row'])}
          onBlur={() => setFocused(undefined)}
        >
          {drawn.map(({ index, before }) => {
            const each = rows[index]
            return (
              each && (
                <MappingRowLine
                  key={each.id}
                  row={each}
                  number={index + 1}
                  errors={errorsByRow.get(index)}
                  sources={sources}
                  isSelected={mapping.selected.has(each.id)}
                  actions={mapping.actions}
                  value={values?.[index]}
                  before={before}
                  measure={row}
                />
              )
            )
          })}
          {/* Not a padding: a flex item never gets smaller than that. */}
          <tr aria-hidden style={{ flex: 'none', height: after }} />
        </tbody>
      </table>
      {mapping.selected.size > 0 && <SelectedBar mapping={mapping} />}
    </div>
  )
}

function ColumnHeads({ hasSources }: { hasSources: boolean }) {
  return (
    <thead className={classes['head']}>
      <tr aria-rowindex={1} className={classes['heads']} data-sources={hasSources || undefined}>
        <th scope="col" aria-label="Place" />
        {hasSources && <th scope="col">Source</th>}
        <th scope="col">From</th>
        <th scope="col">To</th>
        <th scope="col">Custom Input</th>
        <th scope="col">Type</th>
        <th scope="col" className={classes['value']}>
          Value
        </th>
        <th scope="col" aria-label="Actions" />
      </tr>
    </thead>
  )
}

function SelectedBar({ mapping }: { mapping: MappingRows }) {
  const count = mapping.selected.size
  return (
    <div className={classes['bar']}>
      <Text size="sm" fw={600}>
        {count === 1 ? '1 row selected' : `${count} rows selected`}
      </Text>
      <Button variant="default" size="compact-sm" onClick={() => mapping.handleMoveSelected(-1)}>
        Move up
      </Button>
      <Button variant="default" size="compact-sm" onClick={() => mapping.handleMoveSelected(1)}>
        Move down
      </Button>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        size="compact-sm"
        onClick={mapping.handleRemoveSelected}
      >
        Delete rows
      </Button>
      <CloseButton
        size="sm"
        aria-label="Select no rows"
        title="Select no rows"
        onClick={mapping.handleClearSelection}
      />
    </div>
  )
}

const rowAround = (element: Element) => element.closest<HTMLElement>('[data-row]')

/** ↑ and ↓ in a field of text: the same field of the row above or below. */
function goByKey(event: React.KeyboardEvent<HTMLElement>) {
  const { target, key } = event
  if (event.defaultPrevented || event.altKey || event.shiftKey || event.ctrlKey || event.metaKey)
    return
  if ((key !== 'ArrowUp' && key !== 'ArrowDown') || !(target instanceof HTMLInputElement)) return
  const row = rowAround(target)
  const part = target.id.replace(`${row?.dataset['row']}-`, '')
  const next = key === 'ArrowUp' ? row?.previousElementSibling : row?.nextElementSibling
  const id = next instanceof HTMLElement ? next.dataset['row'] : undefined
  if (id === undefined || !/^(from|to|custom_input)$/.test(part)) return
  event.preventDefault()
  document.getElementById(`${id}-${part}`)?.focus()
}
