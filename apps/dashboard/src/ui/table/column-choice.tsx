import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { ColumnsButton } from './columns-button.tsx'

/** Which columns a table shows. The table is drawn before the choice can be opened. */
export const ColumnChoice = lazyPart(
  async () => (await import('./column-popover.tsx')).ColumnPopover,
  <ColumnsButton inert />,
)
