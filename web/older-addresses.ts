// Pages that once had another address. People have bookmarked them, and they are in mails.

/** `/w/demo/formulas/steel/ledger` → `/w/demo/agreements/steel/ledger`. */
export function newerAddress(pathname: string): string {
  return pathname.replace(/^(\/w\/[^/]+)\/formulas(?=\/|$)/, '$1/agreements')
}
