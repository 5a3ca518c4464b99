/// The classes, alphabetically, one a line: identifier, WordNet 3.0 offsets, parents (lines, from 0), outputs of the
/// networks, other names. Made by Training/Scene/taxonomy.py; change that or its edits, not this.
let sceneTaxonomyTable = #"""
    abacus	02666196	770	398	
    abaya	02667093	1060	399	
    academic_gown	02669723	303	400	academic robe, judge's robe
    accordion	02672831	516 698	401	piano accordion, squeeze box
    acorn	12267677	1125	988	
    acorn_squash	07717410	1441	941	
    acoustic_guitar	02676566	598	402	
    adhesive_bandage	02786058	87	419	band aid
    admiral_butterfly	02276258	221	321	admiral
    affenpinscher	02110627	958	252	monkey pinscher, monkey dog
    afghan_hound	02088094	652	160	afghan
    african_chameleon	01694178	273	47	chamaeleo chamaeleon
    african_crocodile	01697457	368	49	nile crocodile, crocodylus niloticus
    african_elephant	02504458	459	386	loxodonta africana
    african_grey_parrot	01817953	917	87	african grey, african gray, psittacus erithacus
    african_wild_dog	02116738	1432	275	african hunting dog, hyena dog, cape hunting dog, lycaon pictus
    agama	01687978	17	42	
    agamid	01687665	753		agamid lizard
    agaric_mushroom	12998815	525	992	agaric
    aircraft	02686568	1375		
    aircraft_carrier	02687172	1398	403	carrier, flattop, attack aircraft carrier
    airedale_terrier	02096051	1290	191	airedale
    airliner	02690373	23	404	
    airplane	02691156	19		aeroplane, plane
    airplane_wing	04592741		908	wing
    airship	02692877	19	405	dirigible
    alaskan_malamute	02110063	1165	249	malamute, malemute
    albatross	02058221	1119	146	mollymawk
    alcoholic_drink	07884567	428		alcohol, alcoholic beverage, intoxicant, inebriant
    alligator	01698434	369		gator
    alligator_lizard	01689811	753	44	
    alpine_mountain	09193705	847	970	alp
    ambulance	02701002	241	407	
    american_alligator	01698640	29	50	alligator mississipiensis
    american_black_bear	02133161	110	295	black bear, ursus americanus, euarctos americanus
    american_coot	02018207	1027	137	marsh hen, mud hen, water hen, fulica americana
    american_lobster	01983481	757	122	northern lobster, maine lobster, homarus americanus
    american_robin	01558993	1299	15	robin, turdus migratorius
    american_staffordshire_terrier	02093428	209	180	staffordshire terrier, american pit bull terrier, pit bull terrier
    amphibian	01627424	1378		
    amphibious_vehicle	02704792	844	408	amphibian
    analog_clock	02708093	300	409	
    angora_rabbit	02328150	1022	332	angora
    animal	00015388			animate being, beast, brute, creature, fauna
    anole	01682714	663	40	american chameleon, anolis carolinensis
    ant	02219486	119	310	emmet, pismire
    antelope	02419796	175		
    anthozoan	01914163	306		actinozoan
    ape	02470325	1001		
    appenzeller_sennenhund	02107908	1127	240	appenzeller
    apple	07739125	523		
    apron	02730930	303	411	
    aquatic_bird	01844917	139		
    arabian_camel	02437312	228	354	dromedary, camelus dromedarius
    arachnid	01769347	61		arachnoid
    arch	02733524	1250		
    archery_bow	02879718	1411	456	bow
    arctic_fox	02120079	513	279	white fox, alopex lagopus
    armadillo	02454379	780	363	
    armor	02739668			armour
    armored_vehicle	02740533	1422		armoured vehicle
    arthropod	01767661	672		
    artichoke	07718747	1374	944	globe artichoke
    assault_rifle	02749479	489	413	assault gun
    atm	02977058	770	480	cash machine, cash dispenser, automated teller machine, automatic teller machine, automated teller, automatic teller
    audio_equipment	02757462	458		audio system, sound system
    australian_kelpie	02105412	1135	227	kelpie
    australian_terrier	02096294	1290	193	
    ax	02764044	382		axe
    axolotl	01632777	1086	29	mud puppy, ambystoma mexicanum
    baboon	02486410	881	372	
    baby_bed	02766320	529		baby's bed
    baby_bottle_nipple	03825788		680	nipple
    backpack	02769748	75	414	back pack, knapsack, packsack, rucksack, haversack
    badger	02447366	855	362	
    bag	02773037	337		
    bagel	07693725	190	931	beigel
    baguette	07684084	755	930	french loaf
    baked_goods	07622061	505		
    bakery	02776631	1242	415	bakeshop, bakehouse
    balance_beam	02777292	602	416	beam
    bald_eagle	01614925	441	22	american eagle, haliaeetus leucocephalus
    baleen_whale	02063224	1419		whalebone whale
    ball	02778669	533		
    balloon	02782093	19	417	
    ballpoint_pen	02783161	932	418	ballpoint, ballpen, biro
    banana	07753592	523	954	
    bandage	02785648	798		patch
    banded_gecko	01675722	544	38	
    banister	02788148	97	421	bannister, balustrade, balusters, handrail
    banjo	02787622	1249	420	
    barbell	02790996	601	422	
    barber_chair	02791124	272	423	
    barbershop	02791270	1242	424	
    barn	02793495	477	425	
    barn_spider	01773549	1205	73	araneus cavaticus
    barometer	02794156	796	426	
    barrier	02796623	1250		
    baseball	02799071	83 1218	429	
    basenji	02110806	413	253	
    basket	02801938	337		handbasket
    basketball	02802426	83 1218	430	
    basset_hound	02088238	652	161	basset
    bassinet	02804414	71	431	
    bassoon	02804610	421	432	
    bath_towel	02808304	1327	434	
    bathing_cap	02807133	239	433	swimming cap
    bathtub	02808440	337	435	bathing tub, bath, tub
    beagle	02088364	652	162	
    beaker	02815834	684	438	
    bear	02131653	250		
    bearskin_hat	02817516	623	439	bearskin, busby, shako
    beaver	02363005	1066	337	
    bed	02818832	116		
    bedding	02820210			bedclothes, bed clothing
    bedlington_terrier	02093647	1290	181	
    bedroom_furniture	02821943	529		
    bee	02206856	119	309	
    bee_eater	01828970	139	92	
    bee_or_ant	02206270	670		hymenopterous insect, hymenopteran, hymenopteron, hymenopter
    beehive	02727426	1132	410	apiary, bee house
    beer_bottle	02823428	172	440	
    beer_glass	02823750	429	441	
    beetle	02164464	670		
    belgian_malinois	02105162	125	225	malinois
    belgian_shepherd	02104882	1135		belgian sheepdog
    bell_pepper	07720875	937	945	
    bell_tower	02825657	1134	442	bell cote, bell cot
    belt	02827606	303		
    bench	02828884	1123		
    bernese_mountain_dog	02107683	1127	239	
    berry	07742704	523		
    bib	02834397	472	443	
    bicycle	02834778	1422		bike, wheel, cycle
    big_cat	02127808	481		cat
    bighorn_sheep	02415577	1133 1433	349	bighorn, cimarron, rocky mountain bighorn, rocky mountain sheep, ovis canadensis
    bikini	02837789	1266	445	two-piece
    binder	02840245		446	ring-binder
    binoculars	02841315	884	447	field glasses, opera glasses
    bird	01503061	1378		
    bird_of_prey	01604330	139		raptor, raptorial bird
    birdhouse	02843684	1134	448	
    bison	02410509	175	347	
    bittern	02011460	635	133	
    black_and_tan_coonhound	02089078	343	165	black-and-tan coonhound
    black_footed_ferret	02443484	855	359	black-footed ferret, ferret, mustela nigripes
    black_grouse	01795545	593	80	
    black_stork	02002724	1243	128	ciconia nigra
    black_swan	01860187	1262	100	cygnus atratus
    black_widow_spider	01774384	1205	75	black widow, latrodectus mactans
    blind	02851099			screen
    bloodhound	02088466	652	163	sleuthhound
    bluetick_coonhound	02088632	652	164	bluetick
    boa	01741943	335		
    boa_constrictor	01742172	153	61	constrictor constrictor
    boat	02858304	1409		
    boat_dock	03216828	1250	536	dock, dockage, docking facility
    boathouse	02859443	1132	449	
    bobsled	02860847	1164	450	bobsleigh, bob
    body_armor	02862048	59		body armour, suit of armor, suit of armour, coat of mail, cataphract
    bolete_mushroom	13054560	525	997	bolete
    bolo_tie	02865351	859	451	bolo, bola tie, bola
    bonnet	02869837	623	452	poke bonnet
    bony_fish	02514825	491		
    book_cover	07248320	1010	921	book jacket, dust cover, dust jacket, dust wrapper
    bookcase	02870880	529	453	
    bookstore	02871525	1242	454	bookshop, bookstall
    boot	02872752	507		
    border_collie	02106166	1135	232	
    border_terrier	02093754	1290	182	
    borzoi	02090622	1447	169	russian wolfhound
    boston_terrier	02096585	1290	195	boston bull
    bottle	02876657	337		
    bottle_cap	02877765		455	bottlecap
    bouvier_des_flandres	02106382	1135	233	bouviers des flandres
    bovid	02401031	1079		
    bovine	02402010	175		
    bow_tie	02883205	859	457	bow-tie, bowtie
    bowed_stringed_instrument	02880546	1249		string
    bowl	02880940	407		
    box	02883344	337		
    box_turtle	01669191	1359	37	box tortoise
    boxer_dog	02108089	1453	242	boxer
    bra	02892767	1363	459	brassiere, bandeau
    brain_coral	01917289	344	109	
    brake	02889425			
    brambling	01530575	486	10	fringilla montifringilla
    brass_instrument	02891788	1435		brass
    brass_plaque	02892201	837	458	brass, memorial tablet, plaque
    bread	07679356	78		breadstuff, staff of life
    bread_roll	07680932	189		bun, roll
    breakwater	02894605	97	460	groin, groyne, mole, bulwark, seawall, jetty
    breastplate	02895154	59	461	aegis, egis
    breathing_apparatus	02895606			breathing device, breathing machine, ventilator
    briard	02105251	1135	226	
    bridge	02898711	1250		span
    brittany_spaniel	02101388	1202	215	
    broccoli	07714990	1374	937	
    broom	02906734	294	462	
    brown_bear	02132136	110	294	bruin, ursus arctos
    brush	02908217	1320		
    brussels_griffon	02112706	413	262	brabancon griffon
    bubble	09229709		971	
    bucket	02909870	337	463	pail
    buckle	02910353	479	464	
    buffalo	02407959	175		old world buffalo
    building	02913152	1250		edifice
    building_dome	03220513	1067	538	dome
    bulbul	01560419	1299	16	
    bull_terrier	02093056	1290		bullterrier
    bulldog	02108672	1453		english bulldog
    bullet_train	02917067	921	466	bullet
    bulletproof_vest	02916936	159 1379	465	
    bullfrog	01641577	521	30	rana catesbeiana
    bullmastiff	02108422	1453	243	bull mastiff
    bunting	01537134	486		
    burrito	07880968	999	965	
    bus	02924116	1009		autobus, coach, charabanc, double-decker, jitney, motorbus, motorcoach, omnibus, passenger vehicle
    business_suit	04350905	537	834	suit, suit of clothes
    bustard	02018795	1390	138	
    butcher_shop	02927161	1242	467	meat market
    butterfly	02274259	670		
    butterfly_fish	02605316	163		
    butternut_squash	07717556	1441	942	
    cabbage	07713895	1374		chou
    cabbage_butterfly	02280649	1427	324	
    cabinet	02933112	529		
    cairn_terrier	02096177	1290	192	cairn
    camel	02437136	470		
    camera	02942699	946		photographic camera
    camera_lens_cap	03657121	946	622	lens cap, lens cover
    camping_tent	03792972	1288	672	mountain tent
    can_opener	02951585	883	473	tin opener
    canadian_inuit_dog	02109961	1453	248	husky
    candle	02948072	725	470	taper, wax light
    candy_store	03089624	1242	509	confectionery, confectionary
    canine	02083346	250		canid
    cannon	02950826	600	471	
    canoe	02951358	1174	472	
    cap	02954340	628		
    capuchin_monkey	02492035	862	378	capuchin, ringtail, cebus capucinus
    car	02958343	844		auto, automobile, machine, motorcar
    car_grille	03459775	97	581	grille, radiator grille
    car_mirror	02965783	822	475	
    car_wheel	02974003	1420	479	
    carbonara	07831146	922	959	
    cardigan	02963159	1263	474	
    cardigan_welsh_corgi	02113186	347	264	cardigan
    cardoon	07730033	1374	946	
    cargo_ship	02965300	1139		cargo vessel
    carnivore	02075296	780		
    carousel	02966193	1055	476	carrousel, merry-go-round, roundabout, whirligig
    carpenters_plane	03954731	382 613	726	plane, carpenter's plane, woodworking plane
    cart	02970849	1392		
    cartilaginous_fish	01480516	491		chondrichthian
    carton	02971356	180	478	
    cassette	02978881	337	481	
    cassette_player	02979186	458	482	
    castle	02980441	509	483	
    cat	02121620	481		true cat
    catamaran	02981792	1083	484	
    cattle	02402425	176		cows, kine, oxen, bos taurus
    cauldron	02939185	341	469	caldron
    cauliflower	07715103	1374	938	
    cd_player	02988304	458	485	
    cello	02992211	178	486	violoncello
    centipede	01784675	61	79	
    cephalopod	01968315	830		cephalopod mollusk
    cetacean	02062430	784		cetacean mammal, blower
    chain_mail	03000247	159	490	ring mail, mail, chain armor, chain armour, ring armor, ring armour
    chain_saw	03000684	1097	491	chainsaw
    chainlink_fence	03000134	482	489	
    chair	03001627	1123		
    chameleon	01693783	753		chamaeleon
    cheeseburger	07697313	608	933	
    cheetah	02130308	134	293	chetah, acinonyx jubatus
    chesapeake_bay_retriever	02099849	1050	209	
    chest_of_drawers	03015254	529		chest, bureau, dresser
    chickadee	01592084	1314	19	
    chiffonier	03016953	277	493	commode
    chihuahua	02085620	1330	151	
    chime	03017168	938	494	bell, gong
    chimpanzee	02481823	574	367	chimp, pan troglodytes
    china_cabinet	03018349	226	495	china closet
    chiton	01955084	830	116	coat-of-mail shell, sea cradle, polyplacophore
    chocolate_sauce	07836838	1096	960	chocolate syrup
    chow_chow	02112137	1212	260	chow
    christmas_stocking	03026506	1239	496	
    church	03028079	966	497	church building
    church_altar	02699494	1250	406	altar
    church_vestment	04532106	303	887	vestment
    cicada	02256656	670	316	cicala
    cinema	03032252	1292	498	movie theater, movie theatre, movie house, picture palace
    citrus_fruit	07747055	523		citrus, citrous fruit
    cleaning_implement	03039947	1320		cleaning device, cleaning equipment
    clear_soup	07584110	1196	925	consomme
    cleaver	03041632	711	499	meat cleaver, chopper
    cliff	09246464	727	972	drop, drop-off
    cliff_dwelling	03042490	440	500	
    cloak	03045337+03045698	894	501	
    clock	03046257	1309		
    clog_shoe	03047690	507	502	clog, geta, patten, sabot
    clothes_iron	03584829	640	606	iron, smoothing iron
    clothing	03051540			article of clothing, vesture, wear, wearable, habiliment
    clownfish	02607072	387	393	anemone fish
    clumber_spaniel	02101556	1202	216	clumber
    cnidarian	01909422	672		coelenterate
    coat	03057021	894		
    cobra	01747885	452		
    cockatoo	01819115	917		
    cocker_spaniel	02102318	1202	219	english cocker spaniel, cocker
    cockroach	02233338	670	314	roach
    cocktail_shaker	03062245	1130	503	
    coffee	07929519	428		java
    coffee_maker	03063338	707		
    coffee_mug	03063599	852	504	
    coffeepot	03063689	341	505	
    coho_salmon	02536864	1087	391	coho, cohoe, blue jack, silver salmon, oncorhynchus kisutch
    coin_operated_machine	04243941	770		slot machine, coin machine
    collie	02106030	1135	231	
    colobus_monkey	02488702	881	375	colobus
    colubrid	01727646	1178		colubrid snake
    column	03074380	1250		pillar
    combination_lock	03075370	758	507	
    combine_harvester	03496892	478	595	harvester, reaper
    comic_book	06596364	771	917	
    common_newt	01630670	864	26	triturus vulgaris
    compass	03706229		635	magnetic compass
    computer	03082979	770		computing machine, computing device, data processor, electronic computer, information processing system
    computer_keyboard	03085013	669 697	508	keypad
    computer_monitor	03782006	411	664	monitor
    computer_mouse	03793489	669	673	mouse
    computer_peripheral	03916720	458		peripheral, peripheral device
    conch	01943899	541	112	
    condiment	07810907	505		
    constrictor	01741562	1178		
    construction_crane	03126707	770	517	crane
    container	03094503			
    container_ship	03095699	249	510	containership, container vessel
    convertible_car	03100240	241	511	convertible
    cooking_pan	03880531	342		pan
    cooking_pot	03990474	337 342		pot
    cookware	03101986	708		cooking utensil
    coonhound	02088839	652		
    coral	01915811	47		
    coral_fungus	12985857	525	991	
    coral_reef	09256479	1044	973	
    corgi	02112826	413		welsh corgi
    corkscrew	03109150	883	512	bottle screw
    corn	12144580	570 1374	987	
    cornet_horn	03110669	187	513	cornet, horn, trumpet, trump
    corvine_bird	01578575	1194		
    cosmetic	03113152	1319		
    costume_mask	03724870	303	643	mask
    cottontail_rabbit	02325366	1022	330	wood rabbit, cottontail
    coucal	01824575	374	91	
    cougar	02125311	1434	286	puma, catamount, mountain lion, painter, panther, felis concolor
    cowboy_boot	03124043	167	514	
    cowboy_hat	03124170	623	515	ten-gallon hat
    coyote	02114855	1445	272	prairie wolf, brush wolf, canis latrans
    crab	01976957	390		
    cradle	03125729	71	516	
    crane	02012849	1390	134	
    crash_helmet	03127747	631	518	
    crayfish	01985128	390	124	crawfish, crawdad, crawdaddy
    crib	03131574	71	520	cot
    cricket	02229544	573	312	
    crockery	03133538	1273		dishware
    crocodile	01697178	369		
    crocodilian	01696633	1048		crocodilian reptile
    croquet_ball	03134739	83 1218	522	
    crossword_puzzle	06785654	1017	918	crossword
    crustacean	01974773	61		
    crutch	03141823	798	523	
    cuckoo	01823013	139		
    cucumber	07718472	1374	943	cuke
    cuirass	03146219	159	524	
    curly_coated_retriever	02099429	1050	206	curly-coated retriever
    curtain	03151077	150 528		drape, drapery, mantle, pall
    cushion	03151500			
    custard_apple	07760859	523	956	
    cutlery	03153375	1273		eating utensil
    cutting_tool	03154073	1320		cutter, cutlery
    cyprinid	01439121	163		cyprinid fish
    daisy	11939491	500	985	
    dalmatian	02110341	413	251	coach dog, carriage dog
    dam	03160309	97	525	dike, dyke
    damselfish	02606384	163		demoiselle
    damselfly	02268853	425	320	
    dandie_dinmont_terrier	02096437	1290	194	dandie dinmont
    decapod_crustacean	01976146	372		decapod
    decoration	03169390			ornament, ornamentation
    desk	03179701	1271	526	
    desktop_computer	03180011	941	527	
    dessert	07609840	505		sweet, afters
    dhole	02115913	1432	274	cuon alpinus
    dial_telephone	03187595	1283	528	dial phone
    diamondback_rattlesnake	01755581	1033	67	diamondback, crotalus adamanteus
    diaper	03188531	537	529	nappy, napkin
    digital_clock	03196217	300	530	
    digital_watch	03197337	1402	531	
    dingo	02115641	1432	273	warrigal, warragal, canis dingo
    dining_table	03201208	1271	532	board
    dinosaur	01699831	1048		
    dip	07582609	334		
    dipper_bird	01601694	1194	20	water ouzel, dipper
    disc_brake	03208938	185	535	disk brake
    dish	03206908	337 367		
    dish_cloth	03207743	472	533	dishrag, dishcloth
    dish_rack	03961711	1250	729	plate rack
    dishwasher	03207941	640	534	dish washer, dishwashing machine
    display_screen	03211117	458		display, video display
    doberman_pinscher	02107142	958	236	doberman
    dog	02084071	236 417		domestic dog, canis familiaris
    dog_muzzle	03803284		676	muzzle
    dogsled	03218198	1164	537	dog sled, dog sleigh
    dolphin	02068974	1322		
    domestic_animal	01317541	43		domesticated animal
    domestic_cat	02121808	259 417		house cat, felis domesticus, felis catus
    door	03221720	97		
    doormat	03223299	791	539	welcome mat
    double_reed_instrument	03228016	1043		double-reed instrument, double reed
    dough	07860988	505	961	
    dowitcher	02033041	1179	142	
    dragonfly	02268443	425	319	darning needle, devil's darning needle, sewing needle, snake feeder, snake doctor, mosquito hawk, skeeter hawk
    dragonfly_or_damselfly	02268148	670		odonate
    dress	03236735	303		frock
    drill	03239726	1320		
    drink	07881800	505		beverage, drinkable, potable
    drinking_glass	03438257	337		glass
    drinking_vessel	03241496	337		
    drum	03249569	938	541	membranophone, tympan
    drumstick	03250847		542	
    duck	01846331	1410		
    dugong	02074367	1113	149	dugong dugon
    dumbbell	03255030	601	543	
    dung_beetle	02172182	1100	305	
    dungeness_crab	01978287	360	118	cancer magister
    dunlin	02027492	1093	140	red-backed sandpiper, erolia alpina
    dutch_oven	03259280	895	544	
    dwelling	03259505	1250		home, domicile, abode, habitation, dwelling house
    eagle	01613294	140		bird of jove
    ear_of_corn	13133613	349	998	ear, spike, capitulum
    eared_seal	02076779	1120		
    earthstar_mushroom	13044778	525	995	earthstar
    echidna	01872401	836	102	spiny anteater, anteater
    echinoderm	02316707	672		
    eel	02526121	163	390	
    eft	01631663	864	27	
    eggnog	07932039	825	969	
    egret	02008796	635		
    egyptian_cat	02124075	418	285	
    elapid	01745125	1178		elapid snake
    electric_fan	03271574	476	545	blower
    electric_guitar	03272010	598	546	
    electric_locomotive	03272562	759	547	
    electric_ray	01496331	1034	5	crampfish, numbfish, torpedo
    electric_switch	04372370		844	switch, electrical switch
    electronics	03278248			electronic equipment
    elephant	02503517	780		
    english_foxhound	02089973	515	167	
    english_setter	02100735	1128	212	
    english_springer_spaniel	02102040	1222	217	english springer
    entertainment_center	03290653	529	548	
    entlebucher_sennenhund	02108000	1127	241	entlebucher
    envelope	03291819	337	549	
    equine	02374149	875		equid
    espresso	07920052	313	967	
    espresso_maker	03297495	314	550	
    european_fire_salamander	01629819	1086	25	salamandra salamandra
    even_toed_ungulate	02394477	1364		even-toed ungulate, artiodactyl, artiodactyl mammal
    eyeglasses	04272054	884		spectacles, specs, glasses
    fabric	03309808			cloth, material, textile
    face_powder	03314780	776	551	
    factory	03316406	1250		mill, manufacturing plant, manufactory
    false_morel	13037406	525	993	gyromitra
    fan	03320046	640		
    farm_building	03322570	206		
    farm_machine	03322940	770		
    fastener	03323703			fastening, holdfast, fixing
    feather_boa	03325584	1101	552	boa
    feline	02120997	250		felid
    fence	03327234	97		fencing
    fiddler_crab	01980166	360	120	
    fig	07753113	523	952	
    file_cabinet	03337140	877	553	file, filing cabinet
    finch	01529672	1194		
    fire_engine	03345487	1357	555	fire truck
    fire_screen	03347037		556	fireguard
    firearm	03343853	600		piece, small-arm
    fireboat	03344393	155	554	
    fish	02512053	1378		
    fishing_reel	04067472	1218	758	reel
    flagpole	03355925		557	flagstaff
    flamingo	02007558	1390	130	
    flat_coated_retriever	02099267	1050	205	flat-coated retriever
    flat_screen	04152593	411	782	screen, crt screen
    flatworm	01924916	1454	110	platyhelminth
    flightless_bird	01517565	139		ratite, ratite bird
    floor_covering	03366823			floor cover
    flower	11669921	968		
    flower_pot	03991062	337	738	pot, flowerpot
    flute	03372029	1452	558	transverse flute
    fly	02190166	670	308	
    folding_chair	03376595	272	559	
    food	00021265+07555863			nutrient, solid food
    football_helmet	03379051	631	560	
    footwear	03380867+03381126	303		footgear
    forklift	03384352	1422	561	
    fort	03385557	1250		fortification, munition
    fountain	03388043	1250	562	
    fountain_pen	03388183	932	563	
    four_poster_bed	03388549	113	564	four-poster
    fox	02118333	236		
    fox_squirrel	02356798	1224	335	eastern fox squirrel, sciurus niger
    foxhound	02089555	652		
    free_reed_instrument	03393324	1435		free-reed instrument
    freight_car	03393912	1028	565	
    french_bulldog	02108915	210	245	
    french_horn	03394916	187	566	horn
    frilled_lizard	01688243	17	43	chlamydosaurus kingi
    frog	01639765	39		toad, toad frog, anuran, batrachian, salientian
    frozen_dessert	07611358	394		
    fruit	07705931	1006		edible fruit
    frying_pan	03400231	340	567	frypan, skillet
    fungus	12992868			
    fur_coat	03404251	307	568	
    fur_stole	04325704	1101	824	stole
    furnishing	03405265			
    furniture	03405725	528		piece of furniture, article of furniture
    gallinaceous_bird	01789386	139		gallinacean
    gambling_slot_machine	04243546	318	800	slot, one-armed bandit
    game_bird	02153203	530		
    game_equipment	03414162			
    gar_fish	02641379	163	395	gar, garfish, garpike, billfish, lepisosteus osseus
    garbage_truck	03417042	1357	569	dustcart
    garden_tool	03418242	1320		lawn tool
    garment	03419014	303		
    garter_snake	01735189	321	57	grass snake
    gas_mask	03424325	789	570	gasmask, respirator, gas helmet
    gas_pump	03425413	1013	571	gasoline pump, petrol pump, island dispenser
    gastropod	01942177	830		univalve
    gate	03427296	97		
    gazelle	02423022	46	353	
    gecko	01674990	753		
    german_shepherd	02106662	1135	235	german shepherd dog, german police dog, alsatian
    german_shorthaired_pointer	02100236	977	210	german short-haired pointer
    geyser	09288635	727	974	
    giant_panda	02510455	1005	388	panda, panda bear, ailuropoda melanoleuca
    giant_schnauzer	02097130	1103	197	
    gibbon	02483362	739	368	hylobates lar
    gila_monster	01692333	753	45	heloderma suspectum
    glove	03441112	303		
    go_kart	03444034	844	573	go-kart
    goat	02416519	175		caprine animal
    goblet	03443371	429	572	
    golden_retriever	02099601	1050	207	
    goldfinch	01531178	486	11	carduelis carduelis
    goldfish	01443537	383	1	carassius auratus
    golf_ball	03445777	83 561	574	
    golf_cart	03445924	561 844	575	golfcart
    golf_equipment	03446832	1218		
    gondola_boat	03447447	155	576	gondola
    gong	03447721	938	577	tam-tam
    goose	01855672	1410	99	
    gordon_setter	02101006	1128	214	
    gorilla	02480855	574	366	gorilla gorilla
    gossamer_winged_butterfly	02281787	221	326	lycaenid, lycaenid butterfly
    gown	03450230	426	578	
    graduation_cap	03787032	239	667	mortarboard
    grain	12156819	1125		caryopsis
    grand_piano	03452741	947	579	grand
    grasshopper	02226429	573	311	hopper
    grasshopper_or_cricket	02226183	670		orthopterous insect, orthopteron, orthopteran
    great_ape	02480153	48		pongid
    great_dane	02109047	1453	246	
    great_egret	02009912	450	132	american egret, great white heron, egretta albus
    great_grey_owl	01622779	897	24	great gray owl, strix nebulosa
    great_pyrenees	02111500	413	257	
    great_white_shark	01484850	1131	2	white shark, man-eater, man-eating shark, carcharodon carcharias
    greater_swiss_mountain_dog	02107574	1127	238	
    green_apple	07742313	50	948	granny smith
    green_iguana	01677366	663	39	common iguana, iguana, iguana iguana
    green_lizard	01693334	753	46	lacerta viridis
    green_mamba	01749939	779	64	
    green_snake	01729977	321	55	grass snake
    greenhouse	03457902	206	580	nursery, glasshouse
    grey_fox	02120505	513	280	gray fox, urocyon cinereoargenteus
    grey_whale	02066245	82	147	gray whale, devilfish, eschrichtius gibbosus, eschrichtius robustus
    greyhound	02090827	652		
    grocery_store	03461385	1242	582	grocery, food market, market
    groenendael	02105056	125	224	
    ground_beetle	02167151	123	302	carabid beetle
    grouse	01795088	532		
    guacamole	07583066	404	924	
    guenon_monkey	02484975	881	370	guenon
    guillotine	03467068		583	
    guinea_pig	02364673	1066	338	cavia cobaya
    guitar	03467517	1249		
    guitar_pick	03929660		714	pick, plectrum, plectron
    gun	03467984	1411		
    gym_weight	04571292	1218		weight, free weight, exercising weight
    gymnastics_equipment	03472232	1218		gymnastic apparatus, exerciser
    gymnastics_high_bar	03535780	602	602	horizontal bar, high bar
    hair_clip	03476684	479	584	hair slide
    hair_dryer	03483316	640	589	hand blower, blow dryer, blow drier, hair drier
    hair_spray	03476991	1319	585	
    half_track_vehicle	03478589	813 1335	586	half track
    hamburger	07697100	1094		beefburger, burger
    hammer	03481172	613	587	
    hammerhead	01494475	1131	4	hammerhead shark
    hamper	03482405	100	588	
    hamster	02342885	1066	333	
    hand_tool	03489162	1320		
    handcart	03484083	1422		pushcart, cart, go-cart
    handheld_computer	03485407	989	590	hand-held computer, hand-held microcomputer
    handkerchief	03485794	472	591	hankie, hanky, hankey
    hard_disk	03492542	458	592	hard disc, fixed disk
    hare	02326432	722	331	
    harmonica	03494278	516	593	mouth organ, harp, mouth harp
    harp	03495258	1249	594	
    hartebeest	02422106	46	351	
    harvestman	01770081	54	70	daddy longlegs, phalangium opilio
    hat	03497657	628		chapeau, lid
    hatchet	03498962	68	596	
    hawk	01605630	140		
    hay	07802026		958	
    head_cabbage	07714571	224	936	
    headgear	03502509	303		headdress
    headland	09399592	727	976	promontory, head, foreland
    heater	03508101	640		warmer
    helmet	03513137	628		
    hen	01514859	530	8	
    hen_of_the_woods_mushroom	13052670	525	996	hen-of-the-woods, hen of the woods, polyporus frondosus, grifola frondosa
    hermit_crab	01986214	390	125	
    heron	02008041	1390		
    hippopotamus	02398521	470	344	hippo, river horse, hippopotamus amphibius
    hockey_puck	04019541	1218	746	puck
    hognose_snake	01729322	321	54	puff adder, sand viper
    holster	03527444		597	
    home_appliance	03528263			household appliance
    home_theater	03529860	1292	598	home theatre
    honeycomb	03530642	1250	599	
    hoop_skirt	03534580	1161	601	hoopskirt, crinoline
    hornbill	01829413	139	93	
    horned_viper	01753488	1384	66	cerastes, sand viper, horned asp, cerastes cornutus
    horse	02374451	466		equus caballus
    horse_cart	03538406	253	603	horse-cart
    horse_chestnut	12768682	1125	990	buckeye, conker
    hosiery	03540267	507		hose
    hot_dog	07697537	1094	934	hotdog, red hot
    hot_pot	07590611	1235	926	hotpot
    hound	02087551	658		hound dog
    hourglass	03544143	1309	604	
    house	03544360	206 440		
    house_finch	01532829	486	12	linnet, carpodacus mexicanus
    howler_monkey	02492660	862	379	howler
    hummingbird	01833805	139	94	
    hunting_dog	02087122	413		
    hyena	02117135	236	276	hyaena
    ibex	02417914	554	350	capra ibex
    ibizan_hound	02091244	652	173	ibizan podenco
    ice_cream	07614500	522	928	icecream
    iguanid	01676755	753		iguanid lizard
    impala	02422699	46	352	aepyceros melampus
    indian_cobra	01748264	308	63	naja naja
    indian_elephant	02504013	459	385	elephas maximus
    indigo_bunting	01537544	215	14	indigo finch, indigo bird, passerina cyanea
    indri_lemur	02500267	736	384	indri, indris, indri indri, indri brevicaudatus
    input_device	03163973	332		data input device
    insect	02159955	61		
    instant_camera	03976467	229	732	polaroid camera, polaroid land camera
    invertebrate	01905661	43		
    irish_setter	02100877	1128	213	red setter
    irish_terrier	02093991	1290	184	
    irish_water_spaniel	02102973	1202	221	
    irish_wolfhound	02090721	1447	170	
    isopod	01990800	372	126	
    italian_greyhound	02091032	589	171	
    jacamar	01843065	139	95	
    jack_o_lantern	03590841	729	607	jack-o'-lantern
    jackfruit	07754684	523	955	jak, jack
    jaguar	02128925	134	290	panther, panthera onca, felis onca
    japanese_chin	02085782	1330	152	japanese spaniel
    jar	03593526	337		
    jay	01580077	351	17	
    jeans	03594734	1356	608	jean, blue jean, denim
    jeep	03594945	241	609	landrover
    jellyfish	01910747	306	107	
    jewelry	03597469	391		jewellery
    jigsaw_puzzle	03598930	1017	611	
    joystick	03602883	669	613	
    jug	03603722	172		
    junco	01534433	486	13	snowbird
    kangaroo	01877134	787		
    keeshond	02112350	1212	261	
    kerry_blue_terrier	02093859	1290	183	
    keyboard	03614007			
    keyboard_instrument	03614532	854		
    keyboard_space_bar	04264628		810	space bar
    killer_whale	02071294	416	148	killer, orca, grampus, sea wolf, orcinus orca
    kimono	03617480	1060	614	
    king_charles_spaniel	02086646	1332	156	blenheim spaniel
    king_crab	01981276	360	121	alaska crab, alaskan king crab, alaska king crab, paralithodes camtschatica
    king_penguin	02056570	935	145	aptenodytes patagonica
    king_snake	01734418	321	56	kingsnake
    kit_fox	02119789	513	278	vulpes macrotis
    kitchen_appliance	03620052	640		
    kitchen_utensil	03621049	1368		
    kite_bird	01608432	625	21	kite
    knee_pad	03623198	303	615	
    knife	03623556	382		
    knot	03627232	479	616	
    koala	01882714	787	105	koala bear, kangaroo bear, native bear, phascolarctos cinereus
    komodo_dragon	01695060	834	48	komodo lizard, dragon lizard, giant lizard, varanus komodoensis
    komondor	02105505	1135	228	
    kuvasz	02104029	1403	222	
    lab_coat	03630383	307	617	laboratory coat
    labrador_retriever	02099712	1050	208	
    lacewing	02264363	670	318	lacewing fly
    ladle	03633091	337	618	
    ladybug	02165456	123	301	ladybeetle, lady beetle, ladybird, ladybird beetle
    lagomorph	02323449	780		gnawing mammal
    lakeland_terrier	02095570	1443	189	
    lakeshore	09332890	1147	975	lakeside
    lamp	03636248+03636649	529 744		
    lampshade	03637318	725	619	lamp shade
    landform	09287968			geological formation, formation
    langur_monkey	02488291	881	374	langur
    lantern	03640988	725		
    laptop	03642806	989	620	laptop computer
    lawn_mower	03649909	536	621	mower
    leaf_beetle	02169497	123	304	chrysomelid
    leafhopper	02259212	670	317	
    leatherback_turtle	01665541	1117	34	leatherback, leathery turtle, dermochelys coriacea
    lemon	07749582	293	951	
    lemur	02496913	1001		
    leonberger	02111129	413	255	leonberg
    leopard	02128385	134	288	panthera pardus
    lesser_ape	02483092	48		
    letter_opener	03658185	711	623	paper knife, paperknife
    lhasa_apso	02098413	1290	204	lhasa
    library	03661043	206	624	
    lifeboat	03662601	155	625	
    light_source	04263760			source of illumination
    lighter	03666591		626	light, igniter, ignitor
    lighthouse	02814860	1328	437	beacon, beacon light, pharos
    limousine	03670208	241	627	limo
    limpkin	02013706	1390	135	aramus pictus
    lion	02129165	134	291	king of beasts, panthera leo
    lionfish	02643566	163	396	
    lipstick	03676483	776	629	lip rouge
    little_blue_heron	02009229	635	131	egretta caerulea
    lizard	01674464	1048		
    llama	02437616	470	355	
    loaf_of_bread	07683786	189		loaf
    loafer_shoe	03680355	1142	630	loafer
    lobster	01982650	390		
    lock	03682487	479		
    locomotive	03684823	1339 1422		engine, locomotive engine, railway locomotive
    loggerhead_turtle	01664065	1117	33	loggerhead, caretta caretta
    long_horned_beetle	02168699	123	303	long-horned beetle, longicorn, longicorn beetle
    lorikeet	01820546	763	90	
    lory	01820348	917		
    lotion_bottle	03690938	1319	631	lotion
    loudspeaker	03691459	65	632	speaker, speaker unit, loudspeaker system, speaker system
    lumbermill	03697007	474	634	sawmill
    lynx	02127052	1434	287	catamount
    macaque	02487347	881	373	
    macaw	01818515	917	88	
    machine	03699975			
    magazine	06595351	1010		mag
    magnifying_glass	03692522	1106	633	loupe, jeweler's loupe
    magpie	01582220	351	18	
    mailbag	03709823	75	636	postbag
    mailbox	03710193	180	637	letter box
    makeup	03714235	352		make-up, war paint
    mallard	01847000	433	97	drake
    maltese_dog	02085936	1330	153	maltese terrier, maltese
    mamba	01749582	452		
    mammal	01861778	1378		mammalian
    manhole_cover	03717622		640	
    maraca	03720891	938	641	
    marimba	03721384	938	642	xylophone
    marine_mammal	02062017	780		aquatic mammal
    marmoset	02490219	862	377	
    marmot	02361337	1066	336	
    marsupial	01874434	780		pouched mammal
    mashed_potato	07711569	991	935	
    mask	03725035			
    mastiff	02108254	1453		
    mat	03727837	499		
    matchstick	03729826		644	
    maypole	03733131		645	
    maze	03733281		646	labyrinth
    measuring_cup	03733805	337	647	
    measuring_instrument	03733925			measuring system, measuring device
    meatloaf	07871810	755 999	962	meat loaf
    medical_equipment	03739693			medical instrument
    medicine_chest	03742115	226	648	medicine cabinet
    meerkat	02138441	1385	299	mierkat
    megalith	03743016	837	649	megalithic structure
    menu	07565083		922	
    merganser	01854415	433		fish duck, sawbill, sheldrake
    metal_chain	02999410		488	chain
    metal_hook	03532672		600	hook, claw
    metal_nail	03804744	479	677	nail
    metal_screw	04153751	479	783	screw
    mexican_hairless_dog	02113978	413	268	mexican hairless
    microphone	03759954	65	650	mike
    microwave_oven	03761084	707	651	microwave
    military_tank	04389033	60 813 1335	847	tank, army tank, armored combat vehicle, armoured combat vehicle
    military_uniform	03763968	1366	652	
    military_vehicle	03764276	1375		
    milk_can	03764736	1311	653	
    miniature_pinscher	02107312	958	237	
    miniature_poodle	02113712	985	266	
    miniature_schnauzer	02097047	1103	196	
    minibus	03769881	217	654	
    miniskirt	03770439	1161	655	mini
    minivan	03770679	241 1371	656	
    mink	02442845	855	357	
    mirror	03773035			
    missile	03773504+04008634	1064 1411	657 744	projectile
    mitten	03775071	552	658	
    mixed_drink	07911371	28		
    mixing_bowl	03775546	179	659	
    mobile_home	03776460	1250 1338	660	manufactured home
    mobile_phone	02992529	1283	487	cellular telephone, cellular phone, cellphone, cell
    modem	03777754	458	662	
    mollusk	01940736	672		mollusc, shellfish
    monarch_butterfly	02279972	221	323	monarch, milkweed butterfly, danaus plexippus
    monastery	03781244	654	663	
    mongoose	02137549	1385	298	
    monitor_lizard	01694709	753		monitor, varan
    monkey	02484322	1001		
    monotreme	01871875	780		egg-laying mammal
    monument	03743902	1250		memorial
    mop	04367480	294	840	swab, swob
    moped	03785016	846	665	
    mortar_and_pestle	03786901	337	666	mortar
    mosque	03788195	966	668	
    mosquito_net	03788365		669	
    motor_scooter	03791053	846	670	scooter
    motor_vehicle	03791235	1422		automotive vehicle
    motorboat	03790230	155		powerboat
    motorcycle	03790512	844		bike
    mountain	09359803	727		mount
    mountain_bike	03792782	133	671	all-terrain bike, off-roader
    mousetrap	03794056		674	
    moving_van	03796401	1371	675	
    mud_turtle	01667114	1359	35	
    mug	03797390	430		
    mushroom	07734744	525 1374	947	
    musical_instrument	03800933			instrument
    mustelid	02441326	250		musteline mammal, musteline
    nautilus	01968897	267	117	chambered nautilus, pearly nautilus
    neck_brace	03814639	798	678	
    necklace	03814906	689	679	
    necktie	03815615	860		tie
    neckwear	03816005	537		
    nematode	01930112	1454	111	nematode worm, roundworm
    new_world_monkey	02489589	835		platyrrhine, platyrrhinian
    newfoundland_dog	02111277	413	256	newfoundland
    newt	01630284	1086		triton
    night_snake	01740131	321	60	hypsiglena torquata
    norfolk_terrier	02094114	1290	185	
    norwegian_elkhound	02091467	652	174	elkhound
    norwich_terrier	02094258	1290	186	
    notebook_computer	03832673	989	681	notebook
    nudibranch	01950731	541	115	sea slug
    obelisk	03837869	322	682	
    oboe	03838899	421	683	hautboy, hautbois
    ocarina	03840681	1435	684	sweet potato
    ocean_liner	03673027	920	628	liner
    odd_toed_ungulate	02373336	1364		odd-toed ungulate, perissodactyl, perissodactyl mammal
    odometer	03841143	796	685	hodometer, mileometer, milometer
    office_furniture	03842156	529		
    oil_filter	03843555		686	
    oil_rig	03240683	1250	540	drilling platform, offshore rig
    old_english_sheepdog	02105641	1135	229	bobtail
    old_world_monkey	02484473	835		catarrhine
    one_piece_swimsuit	03710721+03710637	1266	638 639	maillot, tank suit
    opener	03848348	613		
    optical_instrument	03852280			
    orange	07747607	293	950	
    orangutan	02480495	574	365	orang, orangutang, pongo pygmaeus
    orb_weaver_spider	01773797	1205	74	garden spider, aranea diademata
    orchid	12041446	500		orchidaceous plant
    oscilloscope	03857828	458	688	scope, cathode-ray oscilloscope, cro
    ostrich	01518878	498	9	struthio camelus
    otter	02444819	855	360	
    otterhound	02091635	652	175	otter hound
    outbuilding	03859280	206		
    outerwear	03863923	537		overgarment, outer garment
    oven	03862676	707		
    overskirt	03866082	1161	689	
    owl	01621127	140		bird of minerva, bird of night, hooter
    ox	02403003	261	345	
    oxcart	03868242	253	690	
    oxygen_mask	03868863	193 798	691	
    oystercatcher	02037110	1148	143	oyster catcher
    package	03871083	337		parcel
    paddle	03873416		693	boat paddle
    paddlewheel	03874293	1420	694	paddle wheel
    padlock	03874599	758	695	
    paintbrush	03876231	200	696	
    pajama	03877472	1167	697	pyjama, pj's, jammies
    palace	03877845	654	698	
    pan_flute	03884397	1435	699	panpipe, pandean pipe, syrinx
    paper	14974264			
    paper_towel	03887697	1327	700	
    papillon	02086910	1332	157	
    parachute	03888257	19	701	chute
    parallel_bars	03888605	602	702	bars
    park_bench	03891251	129	703	
    parking_meter	03891332	1310	704	
    parrot	01816887	139		
    partridge	01807496	943	86	
    passenger_railcar	03895866	1028	705	passenger car, coach, carriage
    passenger_ship	03896103	1139		
    passenger_train	03896233	1339		
    pasta_sauce	07838233	1096		spaghetti sauce
    patas_monkey	02486261	881	371	patas, hussar monkey, erythrocebus patas
    patio	03899768	1250	706	terrace
    pay_phone	03902125	1283	707	pay-phone, pay-station
    peacock	01806143	927	84	
    peafowl	01805801	944		bird of juno
    pedestal	03903868	1250	708	plinth, footstall
    pekingese	02086079	1330	154	pekinese, peke
    pelican	02051845	1119	144	
    pembroke_welsh_corgi	02113023	347	263	pembroke
    pen	03906997	1456		
    pencil_box	03908618	180	709	pencil case
    pencil_sharpener	03908714		710	
    penguin	02055803	1119		
    people	00007846+09835506+10148035+10565667		981 982 983	person, individual, someone, somebody, mortal, soul
    pepper	07720442	1374		
    percussion_instrument	03915437	854		percussive instrument
    perfume_bottle	03916031	1319	711	perfume, essence
    persian_cat	02123394	418	283	
    personal_computer	03918480	328		pc, microcomputer
    petri_dish	03920288	407	712	
    phasianid	01802721	532		
    pheasant	01803078	943		
    photocopier	03924679	770	713	
    photographic_equipment	03926148			
    piano	03928116	698 938 1249		pianoforte, forte-piano
    picket_fence	03930313	482	716	paling
    pickup_truck	03930630	1357	717	pickup
    pier	03933933	1250	718	
    pig	02395406	1267	341	hog, grunter, squealer, sus scrofa
    piggy_bank	03935335	337	719	penny bank
    pill_bottle	03937543	172	720	
    pillow	03938244	379	721	
    pineapple	07753275	523	953	ananas
    ping_pong_ball	03942813	83	722	ping-pong ball
    pinniped_mammal	02075927	784		pinniped, pinnatiped
    pinscher	02106966	1403		
    pinwheel	03944341	1420	723	
    pipe_organ	03854065	698 1435	687	organ
    pirate_ship	03947888	1139	724	pirate
    pistol	03948459	489		handgun, side arm, shooting iron
    pit_viper	01753959	1384		
    pitcher	03950228	337	725	ewer
    pizza	07873807	999	963	pizza pie
    place_of_worship	03953416	206		house of prayer, house of god, house of worship
    planetarium	03956157	206	727	
    plant	00017222			flora, plant life
    plastic_bag	03958227	75	728	
    plated_meal	07579787	505	923	plate
    platform	03961939	1250		
    platypus	01873310	836	103	duckbill, duckbilled platypus, duck-billed platypus, ornithorhynchus anatinus
    playground_swing	04371774	1329	843	swing
    plover	02023341	1148		
    plow	03967562	1320	730	plough
    plunger	03970156	613	731	plumber's helper
    pointer	02099997	1216		spanish pointer
    polar_bear	02134084	110	296	ice bear, ursus maritimus, thalarctos maritimus
    pole	03976657		733	
    polecat	02443114	855	358	fitch, foulmart, foumart, mustela putorius
    police_van	03977966	1371	734	police wagon, patrol wagon, wagon, black maria
    pomegranate	07768694	523	957	
    pomeranian	02112018	1212	259	
    poncho	03980874	299	735	
    poodle	02113335	413		poodle dog
    pool_table	03982430	533 1271	736	billiard table, snooker table
    popsicle	07615774	522	929	ice lolly, lolly, lollipop
    porcupine	02346627	1066	334	hedgehog
    portable_computer	03985232	941		
    portable_media_player	03584254	65	605	ipod
    potato	07710616	1069		white potato, irish potato, murphy, spud, tater
    potpie	07875152	999	964	
    potters_wheel	03992509	1420	739	potter's wheel
    power_drill	03995372	427 995	740	
    power_tool	03997484	770 1320		
    prairie_chicken	01798484	593	83	prairie grouse, prairie fowl
    prayer_rug	03998194	1076	741	prayer mat
    praying_mantis	02236044	670	315	mantis, mantid
    prepared_dish	07557434	505		dish
    pretzel	07695742	189	932	
    primate	02469914	780		
    printer	04004767	332 770	742	
    prison	04005630	1250	743	prison house
    proboscis_monkey	02489166	881	376	nasalis larvatus
    procyonid	02507649	250		
    produce	07705711	505		green goods, green groceries, garden truck
    projector	04009552	884	745	
    ptarmigan	01796340	593	81	
    public_transport	04019101			
    publication	06589574			
    pufferfish	02655020	163	397	puffer, blowfish, globefish
    pug	02110958	413	254	pug-dog
    pump	04021798			
    punching_bag	04023962	83	747	punch bag, punching ball, punchball
    purple_gallinule	02017213	52	136	european gallinule, porphyrio porphyrio
    purse	04026417	75	748	
    puzzle	04028315	533		
    python	01743605	153		
    quail	01806567	943	85	
    quill_pen	04033901	932	749	quill
    quilt	04033995	114	750	comforter, comfort, puff
    rabbit	02324045	722		coney, cony
    race_car	04037443	241	751	racer, racing car
    radiator	04040759	630	753	
    radio	04041544	458	754	wireless
    radio_telescope	04044716	1284	755	radio reflector
    rail_bird	02014941	1390		rail
    railcar	02959942	1339 1422		car, railway car, railroad car
    rain_barrel	04049303	337	756	
    raincoat	04049405	307		waterproof
    ram	02412080	1133	348	tup
    rapeseed_field	11879895	500 1125	984	rapeseed
    rattlesnake	01754876	963		rattler
    ray	01495701	254		
    recreational_vehicle	04065272	1422	757	rv, r.v.
    red_breasted_merganser	01855032	803	98	red-breasted merganser, mergus serrator
    red_fox	02119022	513	277	vulpes vulpes
    red_panda	02509815	1005	387	lesser panda, panda, bear cat, cat bear, ailurus fulgens
    red_wine	07892512	1439	966	
    red_wolf	02114712	1445	271	maned wolf, canis rufus, canis niger
    redbone_coonhound	02090379	652	168	redbone
    redshank	02028035	1093	141	tringa totanus
    reed_instrument	02817799	1452		beating-reed instrument, reed
    reef	09406793	727		
    reflex_camera	04069434	229	759	
    refrigerator	04070727	640	760	icebox
    remote_control	04074963	458	761	remote
    reptile	01661091	1378		reptilian
    restaurant	04081281	206	762	eating house, eating place, eatery
    retriever	02099029	1216		
    revolver	04086273	962	763	six-gun, six-shooter
    rhinoceros_beetle	02174001	1100	306	
    rhodesian_ridgeback	02087394	658	159	
    rickshaw	03599486	253	612	jinrikisha, ricksha
    ride	04088797			
    rifle	04090263	489	764	
    ring_tailed_lemur	02497673	736	383	madagascar cat, ring-tailed lemur, lemur catta
    ringlet_butterfly	02277742	221	322	ringlet
    ringneck_snake	01728920	321	53	ring-necked snake, ring snake
    robe	04097866	537		
    rock_beauty_fish	02606052	222	392	rock beauty, holocanthus tricolor
    rock_crab	01978455	360	119	cancer irroratus
    rock_python	01744401	1018	62	rock snake, python sebae
    rocket	04099429	1375		projectile
    rocking_chair	04099969	272	765	rocker
    rodent	02329401	780		gnawer
    roof	04105068	1250		
    rooster	01514668	530	7	cock
    root_vegetable	07710283	1374		
    rose_hip	12620546		989	hip, rosehip
    rotisserie	04111531	895	766	
    rottweiler	02106550	1135	234	
    rubber_eraser	04116512		767	rubber, pencil eraser
    ruddy_turnstone	02025239	974	139	arenaria interpres
    ruffed_grouse	01797886	593	82	partridge, bonasa umbellus
    rug	04118021	499 528		carpet, carpeting
    rugby_ball	04118538	83	768	
    ruler	04118776	796	769	rule
    ruminant	02399000	470		
    running_shoe	04120489	1142	770	
    safe	04125021	180	771	
    safety_pin	04127249	479	772	
    sailboat	04128499	1084		sailing boat
    sailing_vessel	04128837	1409		sailing ship
    saint_bernard	02109525	1453	247	st bernard
    salamander	01629276	39		
    salmon	02534734	163		
    saltshaker	04131690	1130	773	salt shaker
    saluki	02091831	652	176	gazelle hound
    samoyed	02111889	1212	258	samoyede
    sandal	04133789	1142	774	
    sandbar	09421951	727	977	sand bar
    sandpiper	02026059	1148		
    sandwich	07695965	1175		
    sarong	04136333	1161	775	
    sauce	07829412	334		
    saw	03996145	995		power saw, sawing machine
    saxophone	04141076	1043	776	sax
    scabbard	04141327		777	
    scarab_beetle	02171869	123		scarabaeid beetle, scarabaeid, scarabaean
    scarf	04143897	537		
    schipperke	02104365	1403	223	
    schnauzer	02096756	1290		
    school_bus	04146614	217	779	
    schooner	04147183	1084	780	
    scientific_instrument	04147495			
    scoreboard	04149813	1157	781	
    scorpion	01770393	54	71	
    scottish_deerhound	02092002	652	177	deerhound
    scottish_terrier	02097298	1290	199	scotch terrier, scottie
    screwdriver	04154565	613	784	
    sea_anemone	01914609	47	108	anemone
    sea_cow	02073250	784		sirenian mammal, sirenian
    sea_cucumber	02321529	446	329	holothurian
    sea_lion	02077923	443	150	
    sea_snake	01751748	1178	65	
    sea_turtle	01663401	1359		marine turtle
    sea_urchin	02319095	446	328	
    seabird	02021795	52		sea bird, seafowl
    seal	02076196	957		
    sealyham_terrier	02095889	1443	190	sealyham
    seashore	09428293	1147	978	coast, seacoast, sea-coast
    seat	04161981	529		
    seat_belt	04162706	128	785	seatbelt
    seed	13135832			
    semi_truck	04467665	1357	867	trailer truck, tractor trailer, trucking rig, rig, articulated lorry, semi
    sennenhund	02107420	1453		sennenhunde
    setter	02100399	1216		
    sewing_machine	04179913	640 770	786	
    shaker	04183329	337		
    shark	01482330	254		
    shed	04187547	893		
    sheep	02411705	175		
    shelter	04191943			
    shepherd_dog	02104523	1453		sheepdog, sheep dog
    shetland_sheepdog	02105855	1135	230	shetland sheep dog, shetland
    shield	04192698	59	787	buckler
    shih_tzu	02086240	1330	155	shih-tzu
    ship	04194289	1409		
    shipwreck	04606251	1139	913	wreck
    shirt	04197391	537		
    shoe	04199027	507		
    shoe_store	04200800	1242	788	shoe shop, shoe-shop
    shoji	04201297	419	789	
    shopping_basket	04204238	100	790	
    shopping_cart	04204347	614	791	
    shore	09433442	727		
    shorebird	02022684	1390		shore bird, limicoline bird
    shovel	04208210	613	792	
    shower_cap	04209133	239	793	
    shower_curtain	04209239	378	794	
    shrine	04210390	966		
    siamang	02483708	739	369	hylobates syndactylus, symphalangus syndactylus
    siamese_cat	02123597	418	284	siamese
    siberian_husky	02110185	1165	250	
    sidewinder_rattlesnake	01756291	1033	68	sidewinder, horned rattlesnake, crotalus cerastes
    signboard	04217882	1250		sign
    silky_terrier	02097658	1290	201	sydney silky
    sink	04553703	337	896	washbasin, handbasin, washbowl, lavabo, wash-hand basin
    ski_mask	04229816	789	796	
    skirt	04230808	537		
    skis	04228054	1218	795	ski
    skunk	02445715	855	361	polecat
    sled	04235291	1375		sledge, sleigh
    sled_dog	02109811	1453		sledge dog
    sleeping_bag	04235860	75	797	
    sleepwear	03825080	303		nightwear, nightclothes
    slide_rule	04238763		798	slipstick
    sliding_door	04239074	419	799	
    sloth	02456962	780		tree sloth
    sloth_bear	02134418	110	297	melursus ursinus, ursus ursinus
    slow_cooker	03133878	342	521	crock pot
    slug	01945685	541	114	
    small_boat	04244997	155		
    snack_food	07712382	999		
    snack_packet	03871628	902	692	packet
    snail	01944390	541	113	
    snake	01726692	1048		serpent, ophidian
    snipe	02031934	1148		
    snoek	02514041	491	389	barracouta
    snorkel	04251144	193	801	
    snow_leopard	02128757	134	289	ounce, panthera uncia
    snowmobile	04252077	1335	802	
    snowplow	04252225	844	803	snowplough
    soap_dispenser	04254120	337	804	
    soccer_ball	04254680	83	805	
    sock	04254777	649	806	
    soda_bottle	03983396	172	737	pop bottle
    sofa	04256520	1123		couch, lounge
    sofa_bed	04344873	1189	831	studio couch, day bed
    soft_coated_wheaten_terrier	02098105	1290	202	soft-coated wheaten terrier
    solar_collector	04258138		807	solar dish, solar furnace
    sombrero	04259630	623	808	
    songbird	01525720	139		oscine, oscine bird
    sorrel_horse	02389026	646	339	sorrel
    soup	07583197	999		
    soup_bowl	04263257	179	809	
    space_heater	04265275	630	811	
    space_shuttle	04266014	1200	812	
    spacecraft	04264914	1375		ballistic capsule, space vehicle
    spaghetti_squash	07716906	1256	940	
    spaniel	02101108	1216		
    spatula	04270147	342	813	
    speedboat	04273569	845	814	
    spider	01772222	54		
    spider_monkey	02493793	862	381	ateles geoffroyi
    spider_web	04275548		815	spider's web
    spiked_helmet	03929855	631	715	pickelhaube
    spindle	04277352		816	
    spiny_lobster	01984695	757	123	langouste, rock lobster, crawfish, crayfish, sea crawfish
    spiral	03065424		506	coil, volute, whorl, helix
    spitz	02111626	413		
    split_rail_fence	04604644	482	912	worm fence, snake fence, snake-rail fence, virginia fence
    spoon	04284002	337 381		
    spoonbill	02006656	1390	129	
    sporting_dog	02098550	658		gun dog
    sports_car	04285008	241	817	sport car
    sports_equipment	04285146			
    sports_racket	04039381	1218	752	racket, racquet
    spotlight	04286575	725	818	spot
    spotted_salamander	01632458	1086	28	ambystoma maculatum
    springer_spaniel	02101861	1202		springer
    squash	07715561	1374		
    squirrel	02355227	1066		
    squirrel_monkey	02494079	862	382	saimiri sciureus
    staffordshire_bull_terrier	02093256	209	179	staffordshire bullterrier
    standard_poodle	02113799	985	267	
    standard_schnauzer	02097209	1103	198	
    starfish	02317335	446	327	sea star
    station_wagon	02814533	241	436	beach wagon, wagon, estate car, beach waggon, station waggon, waggon
    steam_locomotive	04310018	759	820	
    steel_arch_bridge	04311004	195	821	
    steel_drum	04311174	938	822	
    stethoscope	04317175	798	823	
    stew	07588947	999		
    stick_insect	02231487	670	313	walking stick, walkingstick
    stingray	01498041	1034	6	
    stinkhorn_mushroom	13040303	525	994	stinkhorn, carrion fungus
    stocking	04323819	649		
    stone_wall	04326547	482	825	
    stopwatch	04328186	1310	826	stop watch
    store	04202417	1250		shop
    stork	02002075	1390		
    stove	04330267	630 707	827	
    strainer	04332243	708	828	
    strawberry	07745940	131	949	
    street_sign	06794110	1157	919	
    stretcher	04336792	798	830	
    stringed_instrument	04338517	854		
    structure	04341686			construction
    stupa	04346328	1152	832	tope
    sturgeon	02640242	163	394	
    submarine	04347754	1398	833	pigboat, sub, u-boat
    sulphur_butterfly	02281406	1427	325	sulfur butterfly
    sulphur_crested_cockatoo	01819313	309	89	sulphur-crested cockatoo, kakatoe galerita, cacatua galerita
    summer_squash	07715721	1223		
    sundial	04355338	1309	835	
    sunglasses	04356056+04355933	471	836 837	dark glasses, shades, sunglass
    sunscreen	04357314	1319	838	sunblock, sun blocker
    suspension_bridge	04366367	195	839	
    sussex_spaniel	02102480	1202	220	
    swan	01858441	52		
    sweater	04370048	537		jumper
    sweatshirt	04370456	1263	841	
    swim_trunks	04371430	1266	842	swimming trunks, bathing trunks
    swimsuit	04371563	537		swimwear, bathing suit, swimming costume, bathing costume
    swine	02395003	470		
    syringe	04376876	798	845	
    t_shirt	03595614	1141	610	jersey, t-shirt, tee shirt
    tabby_cat	02123045	418	281	tabby
    table	04379243+04379964	529		
    table_lamp	04380533	725	846	
    tableware	04381994			
    tailed_frog	01644900	521	32	bell toad, ribbed toad, tailed toad, ascaphus trui
    tandem_bicycle	02835271	133	444	bicycle-built-for-two, tandem
    tape_player	04392985	458	848	
    tarantula	01774750	1205	76	
    taxi	02930766	241	468	cab, hack, taxicab
    teacup	07930864	430	968	cup
    teapot	04398044	341	849	
    teddy_bear	04399382	1329	850	teddy
    teiid_lizard	01685439	753		teiid
    telephone	04401088	458		phone, telephone set
    telescope	04403638	1106		scope
    television	04404412	411	851	television system
    tench	01440764	383	0	tinca tinca
    tennis_ball	04409515	83	852	
    tent	04411264	1250		collapsible shelter
    terrapin	01667778	1359	36	
    terrier	02092468	658		
    thatched_roof	04417672	1067	853	thatch
    theater	04417809	206		theatre, house
    theater_curtain	04418357	378	854	theatre curtain
    theater_stage	04296562	971	819	stage
    thimble	04423845	337	855	
    three_toed_sloth	02457408	1170	364	three-toed sloth, ai, bradypus tridactylus
    threshing_machine	04428191	478	856	thresher, thrasher
    throne	04429376	272	857	
    thrush	01557185	1194		
    tibetan_mastiff	02108551	790	244	
    tibetan_terrier	02097474	1290	200	chrysanthemum dog
    tick	01776313	54	78	
    tiger	02129604	134	292	panthera tigris
    tiger_beetle	02165105	123	300	
    tiger_cat	02123159	418	282	
    tiger_shark	01491361	1131	3	galeocerdo cuvieri
    tile_roof	04435653	1067	858	
    timber_wolf	02114367	1445	269	grey wolf, gray wolf, canis lupus
    timepiece	04437953	796		timekeeper, horologe
    timer	04438304	1309		
    tin_can	02946921	337		can, tin
    tissue	15074962	910		tissue paper
    titi_monkey	02493509	862	380	titi
    titmouse	01591697	1194		tit
    toaster	04442312	707	859	
    tobacco_store	04443257	1242	860	tobacco shop, tobacconist shop, tobacconist
    toilet_seat	04447861	1123	861	
    toilet_tissue	15075141	1312	999	toilet paper, bathroom tissue
    toiletry	04447443			toilet articles
    tool	04451818			
    tool_kit	02966687		477	carpenter's kit
    toothed_whale	02066707	1419		
    torch	04456115	744	862	
    totem_pole	04458633	322 391	863	
    toucan	01843383	139	96	
    tow_truck	04461696	1357	864	tow car, wrecker
    towel	04459362	472		
    tower	04460130	1250		
    toy	03964744			plaything
    toy_dog	02085374	413		toy
    toy_poodle	02113624	985	265	
    toy_spaniel	02086346	1330		
    toy_store	04462240	1242	865	toyshop
    toy_terrier	02087046	1330	158	
    tracked_vehicle	04464852	1422		
    tractor	04465501	1422	866	
    traffic_light	06874185		920	traffic signal, stoplight
    trailer	04467099	1422		house trailer
    train	04468005	1009		railroad train
    tram	04335435	1009 1422	829	streetcar, tramcar, trolley, trolley car
    trash_can	02747177	337	412	ashcan, garbage can, wastebin, ash bin, ash-bin, ashbin, dustbin, trash barrel, trash bin
    tray	04476259	337	868	
    treasure_chest	03014705	180	492	chest
    tree_frog	01644373	521	31	tree-frog
    treeing_walker_coonhound	02089867	515	166	walker hound, walker foxhound
    trench_coat	04479046	1030	869	
    triceratops	01704323	403	51	
    tricycle	04482393	1422	870	trike, velocipede
    trifle_dessert	07613480	394	927	trifle
    trilobite	01768244	61	69	
    trimaran	04483307	1083	871	
    tripod	04485082	946	872	
    triumphal_arch	04486054	55 837	873	
    trolleybus	04487081	217	874	trolley coach, trackless trolley
    trombone	04487394	187	875	
    trousers	04489008	537		trouser, pant
    truck	04490091	844		motortruck
    turnstile	04501370	542	877	
    turtle	01662784	1048		
    tusked_elephant	01871265	459	101	tusker
    typewriter_keyboard	04505470	697	878	
    umbrella	04507155	1134	879	
    underwear	04508163	537		undergarment, unmentionable
    ungulate	02370806	780		hoofed mammal
    unicycle	04509417	1422	880	monocycle
    uniform	04509592	303		
    upright_piano	04515003	947	881	upright
    utensil	04516672			
    vacuum_cleaner	04517823	640	882	vacuum
    valley	09468604	727	979	vale
    van	04520170	1357		
    vase	04522168	684	883	
    vaulted_ceiling	04523525	1067	884	vault
    vegetable	07707451	1006		veggie, veg
    vehicle	04524313			
    velvet	04525038	472	885	
    vending_machine	04525305	318	886	
    vertebrate	01471682	43		craniate
    vest	04531873	537		waistcoat
    viaduct	04532670	195	888	
    vine_snake	01739381	321	59	
    vintage_car	03777568	241	661	model t
    violin	04536866	178	889	fiddle
    viper	01752165	1178		
    viverrid	02134971	250		viverrine, viverrine mammal
    vizsla	02100583	977	211	hungarian pointer
    volcano	09472597	847	980	
    volleyball	04540053	83	890	
    vulture	01616318	140	23	
    wading_bird	02000954	52		wader
    waffle_iron	04542943	707	891	
    wagon	04543158	1422		waggon
    wall_clock	04548280	300	892	
    wallaby	01877812	694	104	brush kangaroo
    wallet	04548362	337	893	billfold, notecase, pocketbook
    wardrobe	04550184	529	894	closet, press
    warplane	04552348	23 813	895	military plane
    warship	04552696	813 1139		war vessel, combat ship
    warthog	02397096	1267	343	
    wash_tub	04493381	337	876	tub, vat
    washing_machine	04554684	640	897	washer, automatic washer
    watch	04555897	1309		ticker
    watchdog	02103841	1453		guard dog
    water_bottle	04557648	172	898	
    water_buffalo	02408429	205	346	water ox, asiatic buffalo, bubalus bubalis
    water_jug	04560804	692	899	
    water_snake	01737021	321	58	
    water_tower	04562935	337 1328	900	
    watercraft	04530566	1375		vessel
    waterfowl	01845132	52		water bird, waterbird
    weapon	04565375			arm, weapon system
    weasel	02441942	855	356	
    website	06359193	411	916	web site, internet site, site
    weevil	02177972	123	307	
    weighing_scale	04141975	796	778	scale, weighing machine
    weimaraner	02092339	652	178	
    welsh_springer_spaniel	02102177	1222	218	
    west_highland_white_terrier	02098286	1290	203	
    whale	02062744	268		
    wheel	04574999			
    wheelbarrow	02797295	614	428	barrow, garden cart, lawn cart
    wheeled_vehicle	04576211	1375		
    whippet	02091134	589	172	
    whiptail_lizard	01685808	1282	41	whiptail
    whiskey_jug	04579145	692	901	
    whistle	04579432		902	
    white_or_yellow_butterfly	02280458	221		pierid, pierid butterfly
    white_stork	02002556	1243	127	ciconia ciconia
    white_wolf	02114548	1445	270	arctic wolf, canis lupus tundrarum
    wig	04584207	303	903	
    wild_boar	02396427	1267	342	boar, sus scrofa
    wild_dog	02115335	236		
    wild_sheep	02414578	175		
    wildcat	02124623	259		
    wind_instrument	04586932	854		wind
    window_screen	04589890		904	
    window_shade	04590129	150	905	
    windsor_tie	04591157	859	906	
    wine	07891726	28		vino
    wine_bottle	04591713	172	907	
    winter_squash	07717070	1223		
    wire_haired_fox_terrier	02095314	1290	188	wire-haired fox terrier
    wirehaired_terrier	02095412	1290		wirehair, wire-haired terrier
    wok	04596742	340	909	
    wolf	02114100	236		
    wolf_spider	01775062	1205	77	hunting spider
    wolfhound	02090475	652		
    wombat	01883070	787	106	
    wooden_barrel	02795169	337	427	barrel, cask
    wooden_crate	03127925	180	519	crate
    wooden_spoon	04597913	1214	910	
    woodwind	04598582	1435		woodwind instrument, wood
    working_dog	02103406	413		
    worm	01922303	672		
    worm_snake	01728572	321	52	thunder snake, carphophis amoenus
    writing_implement	04608567			
    yarn	04599235	472	911	wool, woolen, woollen
    yawl_boat	04612504	1174	914	yawl
    yellow_garden_spider	01773157	1205	72	black and gold garden spider, argiope aurantia
    yellow_lady_slipper_orchid	12057211	888	986	yellow lady's slipper, yellow lady-slipper, cypripedium calceolus, cypripedium parviflorum
    yorkshire_terrier	02094433	1290	187	
    yurt	04613696	440	915	
    zebra	02391049	466	340	
    zucchini	07716358	1256	939	courgette
    """#
