import classes from './runs.module.css'

/** HTTP headers, one a line. */
export function HeaderLines({ headers }: { headers: Record<string, string> }) {
  const entries = Object.entries(headers)
  if (entries.length === 0) return null
  return (
    <div className={classes['headers']}>
      {entries.map(([name, value]) => (
        <div key={name}>
          {name}: {value}
        </div>
      ))}
    </div>
  )
}
