import type { AuditEvent } from '@gatehouse/contract'
import { compareVersions, type ComparedLine } from './compare-versions.ts'
import classes from './version-table.module.css'

/** Before and after side by side, with what differs marked. */
export function VersionTable({ event }: { event: AuditEvent }) {
  const fields = compareVersions(event.before, event.after)
  return (
    <table className={classes['table']} {...role('table')} aria-label="Before and after">
      <thead {...role('rowgroup')}>
        <tr {...role('row')}>
          <Head name="Field" />
          <Head name="Before" />
          <Head name="After" />
        </tr>
      </thead>
      <tbody {...role('rowgroup')}>
        {fields.map((field) => (
          <tr key={field.name} {...role('row')} data-different={field.isDifferent}>
            <th {...role('rowheader')} scope="row">
              {field.name}
            </th>
            <td {...role('cell')}>
              <Lines lines={field.before} kind="removed" />
            </td>
            <td {...role('cell')}>
              <Lines lines={field.after} kind="added" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Spelled out, because a table that is laid out as a grid is no table to some browsers. */
const role = (name: string) => ({ role: name })

function Head({ name }: { name: string }) {
  return (
    <th {...role('columnheader')} scope="col">
      {name}
    </th>
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
