"""What a page costs Scrapy: python scrapy_pages.py ADDRESS PAGES fetches so many pages from the server of BenchmarkPipeline, which
listens at ADDRESS, follows every link, and prints the CPU time of a page."""
import resource
import sys

import scrapy
from scrapy.crawler import CrawlerProcess

server, pages = sys.argv[1], int(sys.argv[2])


class Pages(scrapy.Spider):
    name = "pages"
    fetched = 0

    async def start(self):
        yield scrapy.Request("http://h0.example/section0/page0.html", meta={"proxy": "http://" + server})

    def parse(self, response):
        self.fetched += 1
        if self.fetched >= pages:
            raise scrapy.exceptions.CloseSpider("enough")
        for href in response.css("a::attr(href)").getall():
            yield response.follow(href, meta={"proxy": "http://" + server})


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


process = CrawlerProcess({
    "LOG_ENABLED": False, "ROBOTSTXT_OBEY": False, "TELNETCONSOLE_ENABLED": False, "COOKIES_ENABLED": False,
    "CONCURRENT_REQUESTS": 16, "CONCURRENT_REQUESTS_PER_DOMAIN": 16, "DOWNLOAD_DELAY": 0,
})
crawler = process.create_crawler(Pages)
process.crawl(crawler)
before = cpu()
process.start()
fetched = crawler.stats.get_value("response_received_count", 0)
if fetched < pages:
    sys.exit(f"{fetched} pages fetched, want {pages}")
print(f"scrapy {scrapy.__version__}: {fetched} pages, {(cpu() - before) * 1e6 / fetched:.0f} cpu-µs/page")
