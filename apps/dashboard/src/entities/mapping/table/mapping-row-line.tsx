import { Menu } from '@mantine/core'
import type { MappingRow } from '@gatehouse/contract/mapping'
import { memo, useState, type FocusEvent, type RefCallback } from 'react'
import { isBlankRow, toggleEveryElement, type FormRow, type SourceChoice } from '../mapping-form.ts'
import { fieldId, type RowActions } from '../use-mapping-rows.ts'
import { FunctionHelp } from './function-help.tsx'
import { LateMenu } from './late-menu.tsx'
import classes from './mapping-rows.module.css'
import { dropOnto, moveByKey, RowHandle } from './row-place.tsx'
import { SourceField, TextField } from './row-fields.tsx'
import { TypeField } from './type-field.tsx'

export type RowErrors = Partial<Record<keyof MappingRow | 'source' | 'rows', string>>

interface MappingRowLineProps {
  row: FormRow
  /** Counted from 1, as the error messages count. */
  number: number
  errors: RowErrors | undefined
  /** What From can read from; absent where there is only one thing. */
  sources: readonly SourceChoice[] | undefined
  isSelected: boolean
  actions: RowActions
  /** What From gives now, in short. */
  value: string | undefined
  /** Pixels of the rows before it that are not drawn. */
  before: number
  measure: RefCallback<HTMLElement>
}

/** One row of the mapping. A row that was just added is not blamed before it has been left. */
export const MappingRowLine = memo(function MappingRowLine(props: MappingRowLineProps) {
  const { row, number, sources, isSelected, actions, value, before, measure } = props
  const [wasLeft, setWasLeft] = useState(false)
  const errors = wasLeft || !isBlankRow(row) ? (props.errors ?? {}) : {}
  const problemsId = `${row.id}-problems`
  const describe = (field: keyof RowErrors) => ({
    describedBy: errors[field] === undefined ? undefined : problemsId,
    isInvalid: errors[field] !== undefined,
  })
  const change = (changed: Partial<FormRow>) => actions.change(row.id, changed)
  const toggled = toggleEveryElement(row)

  function handleBlur({ currentTarget, relatedTarget }: FocusEvent) {
    if (!currentTarget.contains(relatedTarget)) setWasLeft(true)
  }
  return (
    <tr
      ref={measure}
      className={classes['row']}
      style={{ marginTop: before }}
      data-row={row.id}
      data-selected={isSelected || undefined}
      data-sources={sources ? true : undefined}
      aria-rowindex={number + 1}
      aria-label={`Row ${number}`}
      onBlur={handleBlur}
      onKeyDownCapture={(event) => moveByKey(event, row.id, number, actions.move)}
      {...dropOnto(number, actions.move)}
    >
      <td className={classes['place']}>
        <RowHandle id={row.id} number={number} isSelected={isSelected} actions={actions} />
      </td>
      {sources && (
        <td className={classes['cell']}>
          <SourceField
            row={row}
            sources={sources}
            onChange={(source) => change({ source })}
            {...describe('source')}
          />
        </td>
      )}
      <td className={classes['cell']}>
        <TextField row={row} field="from" label="From" onChange={change} {...describe('from')} />
        <div className={classes['inField']}>
          {toggled && (
            <button
              type="button"
              className={classes['small']}
              title={toggled.isEvery ? 'Use every element [*]' : 'Use the first element [0]'}
              aria-label={toggled.isEvery ? 'Use every element [*]' : 'Use the first element [0]'}
              onClick={() => change({ from: toggled.from, to: toggled.to })}
            >
              {toggled.isEvery ? '[*]' : '[0]'}
            </button>
          )}
          <FunctionHelp number={number} from={row.from} onChange={(from) => change({ from })} />
        </div>
      </td>
      <td className={classes['cell']}>
        <TextField row={row} field="to" label="To" onChange={change} {...describe('to')} />
      </td>
      <td className={classes['cell']}>
        <TextField
          row={row}
          field="custom_input"
          label="Custom Input"
          placeholder={value}
          onChange={change}
          {...describe('custom_input')}
        />
      </td>
      <td className={classes['cell']}>
        <span className={classes['label']} aria-hidden>
          Type
        </span>
        <TypeField row={row} onChange={(type) => change({ type })} {...describe('type')} />
      </td>
      <td className={classes['value']} title={value} dir="ltr">
        {value}
      </td>
      <RowVerbs id={row.id} number={number} isSelected={isSelected} actions={actions} />
      {Object.keys(errors).length > 0 && (
        <td id={problemsId} className={classes['problems']}>
          {Object.entries(errors).map(([field, message]) => (
            <div key={field}>{message}</div>
          ))}
        </td>
      )}
    </tr>
  )
})

interface RowVerbsProps {
  id: string
  number: number
  isSelected: boolean
  actions: RowActions
}

function RowVerbs({ id, number, isSelected, actions }: RowVerbsProps) {
  return (
    <td className={classes['verbs']}>
      <button
        type="button"
        id={fieldId(id, 'remove')}
        className={classes['small']}
        title="Remove"
        aria-label="Remove"
        onClick={() => actions.remove(id)}
      >
        ×
      </button>
      <LateMenu label={`More for row ${number}`} sign="⋮">
        {() => (
          <>
            <Menu.Item onClick={() => actions.insertBelow(id)}>Insert a row below</Menu.Item>
            <Menu.Item onClick={() => actions.duplicate(id)}>Duplicate</Menu.Item>
            <Menu.Item onClick={() => actions.move(id, number - 2)}>Move up</Menu.Item>
            <Menu.Item onClick={() => actions.move(id, number)}>Move down</Menu.Item>
            <Menu.Item onClick={() => actions.select(id, 'toggle')}>
              {isSelected ? 'Do not select' : 'Select'}
            </Menu.Item>
            <Menu.Item color="red" onClick={() => actions.remove(id)}>
              Remove row
            </Menu.Item>
          </>
        )}
      </LateMenu>
    </td>
  )
}
