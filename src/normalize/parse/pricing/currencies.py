"""Currencies as pages print them, as data: signs, codes, names, and those that several countries share."""

SIGNS = {
    "US$": "USD",
    "USD$": "USD",
    "U$S": "USD",
    "AU$": "AUD",
    "A$": "AUD",
    "CA$": "CAD",
    "CAN$": "CAD",
    "C$": "CAD",
    "NZ$": "NZD",
    "HK$": "HKD",
    "SG$": "SGD",
    "S$": "SGD",
    "NT$": "TWD",
    "MX$": "MXN",
    "R$": "BRL",
    "CN¥": "CNY",
    "RMB": "CNY",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "円": "JPY",
    "日元": "JPY",
    "元": "CNY",
    "人民币": "CNY",
    "₹": "INR",
    "₩": "KRW",
    "원": "KRW",
    "₪": "ILS",
    "₺": "TRY",
    "TL": "TRY",
    "₽": "RUB",
    "₴": "UAH",
    "грн": "UAH",
    "฿": "THB",
    "₫": "VND",
    "₱": "PHP",
    "₦": "NGN",
    "RM": "MYR",
    "Rp": "IDR",
    "zł": "PLN",
    "Kč": "CZK",
    "Ft": "HUF",
    "lei": "RON",
    "лв.": "BGN",
    "лв": "BGN",
    "SFr.": "CHF",
    "Fr.": "CHF",
    "KSh": "KES",
    "GH₵": "GHS",
    "₸": "KZT",
    "₾": "GEL",
    "৳": "BDT",
    "S/.": "PEN",
    "S/": "PEN",
}
"""A bare `$` is the US dollar, a bare `¥` the yen: what pages in English mean by them."""

CODES = (
    *("USD", "EUR", "GBP", "JPY", "INR", "CHF", "CAD", "AUD", "NZD", "SGD", "HKD", "SEK", "NOK", "DKK", "PLN", "CZK"),
    *("HUF", "BRL", "MXN", "CNY", "KRW", "TRY", "ZAR", "ILS", "RUB", "TWD", "THB", "IDR", "VND", "AED", "SAR", "UAH"),
    *("RON", "BGN", "PHP", "MYR", "ARS", "CLP", "COP", "PEN", "EGP", "NGN", "KES", "PKR", "ISK", "LKR", "NPR", "BDT"),
    *("QAR", "KWD", "BHD", "OMR", "JOD", "MAD", "TND", "GHS", "UGX", "TZS", "RSD", "GEL", "KZT", "CRC", "DOP", "UYU"),
)
"""ISO 4217, those that software is sold in. In lower case only where they are no English word."""

ENGLISH_WORDS = ("TRY", "PEN", "COP", "RON", "MAD", "GEL")
"""Codes that say a currency only beside a number."""

LOWER_CASE_CODES = ("usd", "eur", "gbp")

NAMES = {
    "dollar": "USD",
    "dollars": "USD",
    "US dollars": "USD",
    "Canadian dollars": "CAD",
    "Australian dollars": "AUD",
    "euro": "EUR",
    "euros": "EUR",
    "pounds": "GBP",
    "yen": "JPY",
}

CENTS = ("¢", "cent", "cents")
"""Hundredths of a dollar, as a bare `$` is the US dollar."""

DOLLAR_CODES = ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "CLP", "ARS", "COP")
"""Dollars and pesos whose code stands beside the sign: `USD $20`, `$20 CAD`, `$20/mo (CAD)`, `$9.990 CLP`."""

DOT_GROUPS = frozenset(
    {
        *("EUR", "BRL", "PLN", "CZK", "TRY", "DKK", "NOK", "SEK", "IDR", "VND", "JPY", "KRW", "CHF", "HUF"),
        *("COP", "CLP", "ARS", "RON", "ISK", "RUB", "UAH", "BGN"),
    }
)
"""Where `1.299` may be more than a thousand. Elsewhere it is less than two."""

SCALES = {
    "k": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "million": 1e6,
    "bn": 1e9,
    "billion": 1e9,
    "lakh": 1e5,
    "lakhs": 1e5,
    "crore": 1e7,
    "crores": 1e7,
    "万": 1e4,
    "만": 1e4,
}

SHARED_SIGNS = r"(?:kr|Rs|SFr|Fr|руб)\b\.?|(?-i:R)(?=\s?\d{2,3})"
"""Signs of several countries' money: `199 kr`, `Rs. 499`. Beside a number they are refused."""

RAND = r"R(?=\s?\d[\d.,]{1,9}\s?(?:/|p\.?m\b|per\s|a\s)\s?(?:mo|mth|month|pm|yr|year|annum|user|seat)?\b)"
"""`R199/month`. Elsewhere an R before digits may be a version."""

OTHER_NAMES = (
    r"pence|bucks|quid|pesos?|rupees|francs|kron(?:or|er)|rubles|yuan|won|reais|dirhams?|dinars?|riyals?|shillings?|rand|lire"
    r"|forint|rupiah|ringgit|baht|USDC|USDT|ETH|BTC|SOL|Bs|F?CFA|Tk|kn|din"
)
"""Names of money whose currency they do not say, or that no row can hold."""

NUMBER_WORDS = (
    r"an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|hundred|thousand"
)
