import classes from './status-word.module.css'

interface StatusWordProps {
  /** A colour of the theme. */
  color: string
  children: string
}

/** A state as a dot and a word: many beside each other stay quiet. What must stand out is a badge. */
export function StatusWord({ color, children }: StatusWordProps) {
  const dot = { '--dot': `var(--mantine-color-${color}-6)` }
  return (
    <span className={classes['status']} style={dot as React.CSSProperties}>
      {children}
    </span>
  )
}
