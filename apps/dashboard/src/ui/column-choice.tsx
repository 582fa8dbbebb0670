import { lazyPart } from '../lib/lazy-part.tsx'
import { ColumnsButton } from './columns-button.tsx'

export interface ColumnChoiceProps {
  columns: readonly { head: string; isShown: boolean }[]
  onChange: (head: string, isShown: boolean) => void
}

/** Which columns a table shows. The table is drawn before the choice can be opened. */
export const ColumnChoice = lazyPart<ColumnChoiceProps>(
  async () => (await import('./column-popover.tsx')).ColumnPopover,
  <ColumnsButton inert />,
)
