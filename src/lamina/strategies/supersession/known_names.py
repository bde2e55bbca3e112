"""Names that rules must tell apart: what kind of place, a profession, a people's name, a brand.

None of the lists is complete, and none needs to be: what is missing makes a rule silent.
"""

from __future__ import annotations


def listed(names: str, separator: str | None = None) -> frozenset[str]:
    """Return the names in a text as a set; blanks are between them, or what is given."""
    return frozenset(name.strip() for name in names.split(separator))


COUNTRIES = listed(
    "afghanistan, albania, algeria, argentina, armenia, australia, austria, azerbaijan, "
    "bangladesh, belarus, belgium, bolivia, bosnia, brazil, britain, great britain, bulgaria, "
    "cambodia, cameroon, canada, chile, china, colombia, costa rica, croatia, cuba, cyprus, "
    "czechia, czech republic, denmark, ecuador, egypt, england, estonia, ethiopia, finland, "
    "france, georgia, germany, ghana, greece, guatemala, hungary, iceland, india, indonesia, "
    "iran, iraq, ireland, israel, italy, jamaica, japan, jordan, kazakhstan, kenya, korea, "
    "south korea, kuwait, laos, latvia, lebanon, libya, lithuania, luxembourg, malaysia, "
    "malta, "
    "mexico, moldova, mongolia, morocco, myanmar, nepal, netherlands, holland, new zealand, "
    "nigeria, norway, oman, pakistan, panama, paraguay, peru, philippines, poland, portugal, "
    "qatar, romania, russia, saudi arabia, scotland, senegal, serbia, slovakia, slovenia, "
    "somalia, south africa, spain, sri lanka, sudan, sweden, switzerland, syria, taiwan, "
    "tanzania, thailand, tunisia, turkey, uganda, ukraine, uae, united arab emirates, uk, "
    "united kingdom, us, usa, u.s., united states, states, america, uruguay, venezuela, "
    "vietnam, wales, yemen, zambia, zimbabwe, europe, asia, africa, eu, scandinavia, "
    "中国, 美国, 英国, 法国, 德国, 日本, 韩国, 意大利, 西班牙, 葡萄牙, 荷兰, 比利时, 瑞士, "
    "瑞典, 挪威, "
    "丹麦, 芬兰, 俄罗斯, 加拿大, 澳大利亚, 澳洲, 新西兰, 印度, 泰国, 越南, 马来西亚, 印尼, "
    "菲律宾, "
    "巴西, 墨西哥, 阿根廷, 南非, 埃及, 土耳其, 希腊, 波兰, 奥地利, 爱尔兰, 欧洲, 国外, 国内, "
    "海外",
    ",",
)
REGIONS = listed(
    "alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida, "
    "hawaii, idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland, "
    "massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada, "
    "new hampshire, new jersey, new mexico, new york state, north carolina, north dakota, "
    "ohio, oklahoma, oregon, pennsylvania, rhode island, south carolina, south dakota, "
    "tennessee, texas, utah, vermont, virginia, washington state, west virginia, wisconsin, "
    "wyoming, ontario, quebec, british columbia, alberta, bavaria, tuscany, lombardy, sicily, "
    "catalonia, andalusia, provence, brittany, normandy, new south wales, queensland, "
    "victoria, "
    "tasmania, yorkshire, cornwall, kent, sussex, surrey, devon, bay area, midwest, "
    "silicon valley, 广东, 浙江, 江苏, 山东, 四川, 湖北, 湖南, 河北, 河南, 福建, 安徽, 江西, "
    "陕西, "
    "山西, 辽宁, 吉林, 黑龙江, 云南, 贵州, 广西, 海南, 甘肃, 青海, 宁夏, 新疆, 西藏, 内蒙古, "
    "台湾",
    ",",
)
DISTRICTS = listed(
    "brooklyn, manhattan, queens, bronx, harlem, soho, tribeca, williamsburg, staten island, "
    "camden, hackney, shoreditch, brixton, islington, chelsea, notting hill, greenwich, "
    "montmartre, marais, belleville, kreuzberg, neukölln, mitte, prenzlauer berg, trastevere, "
    "grünerløkka, shibuya, shinjuku, gangnam, pudong, jing'an, haidian, chaoyang, xuhui, "
    "hollywood, venice beach, santa monica, capitol hill, sunset, mission, mission district, "
    "old town, city centre, city center, town centre, 浦东, 浦西, 徐汇, 静安, 黄浦, 长宁, "
    "虹口, 杨浦, "
    "闵行, 朝阳, 海淀, 东城, 西城, 丰台, 通州, 望京, 中关村, 天河, 越秀, 福田, 南山, 罗湖, "
    "宝安, "
    "西湖, 滨江, 余杭, 武侯, 锦江, 江北, 渝中",
    ",",
)
CHINESE_TOWNS = listed(
    "北京 上海 广州 深圳 杭州 南京 苏州 成都 重庆 武汉 西安 天津 青岛 厦门 大连 长沙 郑州 济南 "
    "宁波 无锡 "
    "合肥 福州 昆明 沈阳 哈尔滨 长春 南宁 贵阳 南昌 太原 石家庄 兰州 海口 三亚 珠海 东莞 佛山 温州 "
    "绍兴 "
    "嘉兴 常州 扬州 徐州 烟台 洛阳 桂林 丽江 大理 拉萨 乌鲁木齐 呼和浩特 银川 西宁 中山 惠州 泉州 "
    "威海 "
    "香港 澳门 台北 高雄 东京 大阪 京都 首尔 新加坡 曼谷 纽约 洛杉矶 旧金山 西雅图 波士顿 芝加哥 "
    "伦敦 巴黎 "
    "罗马 米兰 柏林 慕尼黑 马德里 巴塞罗那 里斯本 阿姆斯特丹 奥斯陆 斯德哥尔摩 哥本哈根 赫尔辛基 "
    "维也纳 "
    "苏黎世 日内瓦 布鲁塞尔 莫斯科 悉尼 墨尔本 多伦多 温哥华 蒙特利尔 迪拜 都柏林 爱丁堡 曼彻斯特"
)
PROFESSIONS = listed(
    "accountant actor actress analyst architect artist assistant attorney baker banker barista "
    "bartender biologist bookkeeper builder butcher carpenter cashier chef chemist clerk coach "
    "consultant cook copywriter courier dancer dentist designer developer director doctor driver "
    "economist editor electrician engineer farmer firefighter florist gardener geologist guide "
    "hairdresser illustrator instructor journalist judge lawyer lecturer librarian lifeguard "
    "machinist manager mechanic musician nurse optician paramedic pastry-cook pharmacist "
    "photographer physicist physiotherapist pilot plumber police postdoc president principal "
    "producer professor programmer psychologist receptionist recruiter reporter researcher "
    "salesman saleswoman scientist secretary singer soldier statistician strategist supervisor "
    "surgeon tailor teacher technician therapist trainer translator tutor vet veterinarian waiter "
    "waitress writer lead officer cto ceo cfo vp head intern trainee apprentice"
)
CHINESE_PROFESSIONS = listed(
    "老师 教师 医生 护士 律师 会计 会计师 工程师 程序员 设计师 司机 厨师 记者 编辑 翻译 经理 主管 "
    "总监 "
    "销售 研究员 教授 讲师 警察 消防员 演员 歌手 作家 画家 摄影师 建筑师 分析师 顾问 店长 组长 "
    "科学家 "
    "架构师 产品经理 项目经理 助理 教练 导游 药剂师 飞行员 部长 主任 老板 实习生 店员 收银员 "
    "咖啡师 理发师"
)
PEOPLES = listed(
    "american australian austrian belgian brazilian british bulgarian canadian chilean chinese "
    "colombian croatian cuban czech danish dutch egyptian english estonian ethiopian filipino "
    "finnish french german greek hungarian icelandic indian indonesian iranian iraqi irish "
    "israeli italian jamaican japanese jordanian kenyan korean latvian lebanese lithuanian "
    "malaysian mexican moroccan nepalese nigerian norwegian pakistani persian peruvian polish "
    "portuguese romanian russian scottish serbian singaporean slovak slovenian spanish swedish "
    "swiss syrian taiwanese thai tunisian turkish ukrainian vietnamese welsh european asian "
    "african latino catholic protestant christian muslim jewish buddhist hindu mormon atheist "
    "republican democrat aries taurus gemini leo virgo libra scorpio sagittarius capricorn "
    "aquarius pisces"
)
CHINESE_BRANDS = listed(
    "特斯拉 宝马 奔驰 奥迪 丰田 本田 大众 日产 福特 别克 比亚迪 蔚来 小鹏 理想 沃尔沃 雷克萨斯 "
    "马自达 "
    "现代 起亚 吉利 长安 长城 红旗 保时捷 路虎 凯迪拉克 雪佛兰 斯巴鲁 极氪 问界"
)


def level_of(place: str) -> str:
    """Return what kind of place a name names; "" for a town, or for what is not known.

    >>> level_of("Norway"), level_of("the Bronx"), level_of("Oslo"), level_of("广东省")
    ('country', 'district', '', 'region')
    """
    name = place.casefold().removeprefix("the ").strip()
    if name in COUNTRIES:
        return "country"
    if name.removesuffix("省") in REGIONS or name.endswith("省"):
        return "region"
    known = name in DISTRICTS or name.removesuffix("区") in DISTRICTS
    return "district" if known or name.endswith(("区", "district", "镇", "村", "县")) else ""
