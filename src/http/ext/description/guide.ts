// Guide for callers of /ext/v1 besides the single routes, as Markdown. The description carries it in its head, and the page at
// /docs shows it.
import type { GuideSection } from '../../api/operation.ts'
import { exampleOrigin } from '../../v1/guide.ts'

const curl = 'curl -H "Authorization: Bearer $ASSIZE_KEY" \\\n '

export const guide: readonly GuideSection[] = [
  {
    id: 'ext',
    title: 'Beside v1: /ext/v1',
    text: `\`/ext/v1\` (or \`/api/ext/v1\`, byte for byte) answers for hundreds of agreements at once, so that a nightly job makes three requests and not five hundred. It has the keys, limits, cursors, tags, compression and errors of v1, and like v1 it only reads. v1 itself never changes; what is new comes here.

\`\`\`sh
${curl} '${exampleOrigin}/ext/v1/series?code=BLS/WPU101'
\`\`\`

\`limit\` left out is the largest. All numbers are decimals in text.`,
  },
  {
    id: 'ext-keys',
    title: 'Scopes and Basic authentication',
    text: `A key has a scope: \`read\` (series, agreements, prices), \`money\` (also invoices, checks and amounts) or \`all\`. It is chosen when the key is made (\`assize key create --scope money\`). What a key may not read does not exist for it: 404.

A spreadsheet keeps Basic credentials in its user’s own store: here, and not in v1, the key may be the user name of Basic authentication, with an empty password.

\`\`\`sh
curl -u "$ASSIZE_KEY:" '${exampleOrigin}/ext/v1/series?format=csv'
\`\`\``,
  },
  {
    id: 'ext-csv',
    title: 'CSV',
    text: `Every list and check comes as CSV with \`Accept: text/csv\` or \`format=csv\`, which wins over the header. Columns are the fields in their order, with underscores (\`updated_at\`), what is nested behind its parent (\`confirmed_buyer\`); null is an empty cell. UTF-8, commas, lines end with CRLF. Text that a spreadsheet would run as a formula has a \`'\` before it; numbers never have. The next page is in the \`Link\` header, with its whole address.`,
  },
]
