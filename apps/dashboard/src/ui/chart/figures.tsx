import type { ReactNode } from 'react'
import classes from './figures.module.css'

interface FigureValue {
  name: string
  value: ReactNode
  /** Shown while the pointer rests on the value. */
  title?: string | undefined
}

/** Numbers for the eye, side by side: four in a row, or as many as there is room for. */
export function Figures({ figures }: { figures: readonly FigureValue[] }) {
  return (
    <dl className={classes['figures']}>
      {figures.map(({ name, value, title }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={title}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
