import { Text } from '@mantine/core'
import type { RowProblem } from './problem-words.ts'
import classes from './send-file.module.css'

interface ProblemListProps {
  problems: readonly RowProblem[]
  /** Rows with problems that are not listed. */
  hiddenRows: number
  isCsv: boolean
}

/** Each problem with its row and field. */
export function ProblemList({ problems, hiddenRows, isCsv }: ProblemListProps) {
  return (
    <div>
      <Text size="xs" c="dimmed" mb="xs">
        {isCsv
          ? 'Row 1 is the first below the header. Blank rows are not counted.'
          : 'Row 1 is the first. Blank lines are not counted.'}
      </Text>
      <ol className={classes['problems']} aria-label="Problems">
        {problems.map(({ row, field, message }) => (
          <li key={`${row} ${field} ${message}`}>
            <b>Row {row.toLocaleString('en')}</b>
            <span>{field === '' ? 'the whole row' : <code>{field}</code>}</span>
            <span>{message}</span>
          </li>
        ))}
      </ol>
      {hiddenRows > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {hiddenRows === 1
            ? 'And 1 more row.'
            : `And ${hiddenRows.toLocaleString('en')} more rows.`}
        </Text>
      )}
    </div>
  )
}
