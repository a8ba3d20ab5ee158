// An address that leads nowhere.
import { Empty, PageHead } from '../components/page.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHead title="Not found" />
      <Empty title="There is nothing at this address" action={<a href="/">To the beginning</a>}>
        The link may be old, or incomplete.
      </Empty>
    </>
  )
}
