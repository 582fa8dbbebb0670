import { runsOf, type Clerk } from './carry-invoice.ts'

export interface InvoiceReport {
  invoices: number
  /** Runs by the state in which the last one of each invoice ended. */
  states: Record<string, number>
  acceptedTwice: string[]
  /** Accepted by the authority, and no run knows of it; or handed in, and there is no run. */
  lost: string[]
  /** Shown as succeeded and not accepted, or shown as surely not accepted although it was. */
  wrong: string[]
}

/** Holds what the product shows against what the authority has recorded: how often it accepted each invoice. */
export async function judgeInvoices(
  clerk: Clerk,
  accepted: ReadonlyMap<string, number>,
  references: readonly string[],
): Promise<InvoiceReport> {
  const report: InvoiceReport = {
    invoices: references.length,
    states: {},
    acceptedTwice: [...accepted].flatMap(([reference, count]) => (count > 1 ? [reference] : [])),
    lost: [],
    wrong: [],
  }
  for (const reference of references) {
    const runs = await runsOf(clerk, reference)
    const state = runs[0]?.state ?? 'none'
    report.states[state] = (report.states[state] ?? 0) + 1
    const isAccepted = accepted.has(reference)
    const isShownAccepted = runs.some((run) => run.state === 'succeeded')
    const mayBe = runs.some((run) => run.state === 'unknown' || run.state === 'running')
    if (runs.length === 0) report.lost.push(reference)
    else if (isShownAccepted !== isAccepted && !mayBe) report.wrong.push(reference)
    else if (isShownAccepted && !isAccepted) report.wrong.push(reference)
  }
  return report
}
