import { Button, Text, Title, UnstyledButton } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import type { MappingError, MappingRow } from '@gatehouse/contract/mapping'
import { JsonPane } from '../../ui/json/json-pane.tsx'
import classes from './build-request.module.css'
import type { MappedPreview } from '../../entities/mapping/mapped-preview.ts'
import type { FormRow } from '../../entities/mapping/mapping-form.ts'

interface MappedJsonPaneProps {
  preview: MappedPreview
  rows: FormRow[]
  /** Goes to the field that a problem is in. */
  onProblem: (row: string, field: keyof MappingRow) => void
  onCopyToBody: () => void
}

/** What the mapping makes of the fetched JSON, as it is typed: exactly what Send would send. */
export function MappedJsonPane({ preview, rows, onProblem, onCopyToBody }: MappedJsonPaneProps) {
  const isSound = preview.errors.length === 0 && preview.text !== ''
  return (
    <div className={classes['result']}>
      <JsonPane
        label="Mapped JSON Data"
        title={
          <Title order={4} fz="sm">
            Mapped JSON Data
          </Title>
        }
        value={preview.text}
        empty={
          <div className={classes['empty']}>
            <Text size="sm" c="dimmed">
              {preview.needsData
                ? 'Press Get first: these rows read from the fetched JSON.'
                : 'Shows what the rows make of the fetched JSON.'}
            </Text>
          </div>
        }
        actions={
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconArrowUp size={12} aria-hidden />}
            disabled={!isSound}
            onClick={onCopyToBody}
          >
            Copy mapped JSON to Body
          </Button>
        }
        marksChanges
        minHeight={80}
        maxHeight="var(--result-height, 45vh)"
      />
      <ErrorSummary errors={preview.errors} rows={rows} onProblem={onProblem} />
    </div>
  )
}

const fieldNames = {
  from: 'From',
  to: 'To',
  custom_input: 'Custom Input',
  type: 'Type',
  rows: '',
} as const
const shownErrors = 8

interface ErrorSummaryProps {
  errors: readonly MappingError[]
  rows: FormRow[]
  onProblem: MappedJsonPaneProps['onProblem']
}

function ErrorSummary({ errors, rows, onProblem }: ErrorSummaryProps) {
  if (errors.length === 0) return null
  const more = errors.length - shownErrors
  return (
    <div className={classes['problems']}>
      <Text size="sm" fw={600}>
        {errors.length === 1 ? '1 problem' : `${errors.length} problems`} in the mapping
      </Text>
      <ul>
        {errors.slice(0, shownErrors).map(({ row, field, message }) => {
          const id = rows[row]?.id
          const place = `Row ${row + 1}${field === 'rows' ? '' : `, ${fieldNames[field]}`}`
          return (
            <li key={`${row}-${field}-${message}`}>
              {id !== undefined && field !== 'rows' ? (
                <UnstyledButton
                  className={classes['problemLink'] ?? ''}
                  onClick={() => onProblem(id, field)}
                >
                  {place}
                </UnstyledButton>
              ) : (
                place
              )}
              : {message}
            </li>
          )
        })}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </div>
  )
}
