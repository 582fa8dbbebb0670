import type { AuditEvent } from '@gatehouse/contract'
import { compareVersions, type ComparedLine } from './compare-versions.ts'
import classes from './version-table.module.css'

/** Before and after side by side, with what differs marked. */
export function VersionTable({ event }: { event: AuditEvent }) {
  const fields = compareVersions(event.before, event.after)
  return (
    <table className={classes['table']} aria-label="Before and after">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.name} data-different={field.isDifferent}>
            <th scope="row">{field.name}</th>
            <td>
              <Lines lines={field.before} kind="removed" />
            </td>
            <td>
              <Lines lines={field.after} kind="added" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Lines({ lines, kind }: { lines: ComparedLine[]; kind: 'removed' | 'added' }) {
  const Mark = kind === 'removed' ? 'del' : 'ins'
  return lines.map(({ text, isDifferent }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- lines repeat, and never move
    <div key={index} className={classes['line']}>
      {isDifferent ? <Mark>{text}</Mark> : text}
    </div>
  ))
}
