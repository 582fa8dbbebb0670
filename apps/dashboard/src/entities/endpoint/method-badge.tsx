import classes from './method-badge.module.css'

const colors: Record<string, string> = {
  get: 'blue',
  post: 'green',
  put: 'orange',
  patch: 'yellow',
  delete: 'red',
}

/** As the library's badge, in one element: a list has a hundred. */
export function MethodBadge({ method }: { method: string }) {
  const color = colors[method] ?? 'gray'
  const style = {
    color: `var(--mantine-color-${color}-light-color)`,
    background: `var(--mantine-color-${color}-light)`,
  }
  return (
    <span className={classes['method']} style={style}>
      {method}
    </span>
  )
}
