import type { FormRow, SourceChoice } from '../mapping-form.ts'
import { fieldId } from '../use-mapping-rows.ts'
import classes from './mapping-rows.module.css'

interface FieldProps {
  row: FormRow
  describedBy: string | undefined
  isInvalid: boolean
}

interface TextFieldProps extends FieldProps {
  field: 'from' | 'to' | 'custom_input'
  label: string
  placeholder?: string | undefined
  onChange: (changed: Partial<FormRow>) => void
}

/** The browser's own field: a table of two hundred rows has six hundred. */
export function TextField({ row, field, label, placeholder, onChange, ...state }: TextFieldProps) {
  const id = fieldId(row.id, field)
  return (
    <>
      <label className={classes['label']} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className={classes['field']}
        value={row[field]}
        placeholder={placeholder}
        title={row[field]}
        aria-invalid={state.isInvalid || undefined}
        aria-describedby={state.describedBy}
        dir={field === 'custom_input' ? 'auto' : 'ltr'}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onChange={(event) => onChange({ [field]: event.currentTarget.value })}
      />
    </>
  )
}

interface SourceFieldProps extends FieldProps {
  sources: readonly SourceChoice[]
  onChange: (source: string) => void
}

export function SourceField({ row, sources, onChange, ...state }: SourceFieldProps) {
  const id = `${row.id}-source`
  const isKnown = sources.some(({ value }) => value === row.source)
  return (
    <>
      <label className={classes['label']} htmlFor={id}>
        Source
      </label>
      <select
        id={id}
        className={classes['field']}
        value={row.source ?? ''}
        aria-invalid={state.isInvalid || undefined}
        aria-describedby={state.describedBy}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {!isKnown && <option value={row.source ?? ''}>{row.source ?? ''}</option>}
        {sources.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </>
  )
}
